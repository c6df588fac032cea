"""What continuous integration would say of a tree: a reading of its workflow file, its tests and its known defects.

No test runs while a world is generated. Which tests exist and which are skipped is read off the test files; which fail
is what the template's defects break. A test of this package runs real pytest on the same trees and finds the same.
"""
