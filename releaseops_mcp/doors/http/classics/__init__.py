"""What the two mounted classics share, so that each is only what makes it itself.

live      finds an episode that is not over, and makes a call on it
bodies    JSON in and out: typed bodies, the originals' order of keys
openapi   what every operation of a mounted classic documents
openenv   the routes that OpenEnv asks of every environment
"""
