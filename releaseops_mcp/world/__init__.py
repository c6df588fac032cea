"""Hidden truth of a release: an organisation, its service, its changes, and everything that can be read about them.

A scenario is generated into a `World`. Its artefacts are rendered from the world's state in their real formats and read
back as typed records; an organisation's rules are predicates over those records. Whoever has read everything holds the
truth; a supervisor that has read a little applies the same rules to what it has seen. Nothing else decides.

What is one new file: a failure kind (`kinds/`), a rule family (`rules/`), an artefact format (`artefacts/`), a worker's
archetype (`workers/`), what precedents tell of (`precedents/subjects/`), an organisation (`orgs/*.yaml`), a service
template (`templates/*.yaml`).
"""
