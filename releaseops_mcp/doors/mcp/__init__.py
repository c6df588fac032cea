"""The MCP door, in both protocol eras, over stdio and streamable HTTP.

`server.build_server` joins the parts, `serving` runs it, `connect` writes clients' configurations. The door passes raw
tool names and arguments to `arena.dispatch.invoke`: schemas guide a model, only the arena judges. Nothing is imported
here, so that `connect` stays free of the SDK.
"""
