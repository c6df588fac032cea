"""The official suite's fixtures that only return something: tools, resources and prompts with fixed contents.

Names, texts and shapes are those that the suite's scenario descriptions ask for.
"""

import base64
import io
import json
import struct
import wave
import zlib
from typing import Any

from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    GetPromptRequestParams,
    GetPromptResult,
    ImageContent,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
    Tool,
)

NOTHING: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
"""Input schema of a tool without arguments."""


def _png() -> str:
    """One red pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    chunks = (chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(b"\x00\xff\x00\x00")), chunk(b"IEND", b""))
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(chunks)).decode()


def _wav() -> str:
    """Ten silent samples."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(20))
    return base64.b64encode(buffer.getvalue()).decode()


IMAGE = ImageContent(data=_png(), mime_type="image/png")
AUDIO = AudioContent(data=_wav(), mime_type="audio/wav")


def text(words: str) -> CallToolResult:
    """Return a tool's good answer."""
    return CallToolResult(content=[TextContent(text=words)])


def embedded(uri: str, mime_type: str, words: str) -> EmbeddedResource:
    return EmbeddedResource(resource=TextResourceContents(uri=uri, mime_type=mime_type, text=words))


ANSWERS: dict[str, CallToolResult] = {
    "test_simple_text": text("This is a simple text response for testing."),
    "test_image_content": CallToolResult(content=[IMAGE]),
    "test_audio_content": CallToolResult(content=[AUDIO]),
    "test_embedded_resource": CallToolResult(
        content=[embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")]
    ),
    "test_multiple_content_types": CallToolResult(
        content=[
            TextContent(text="Multiple content types test:"),
            IMAGE,
            embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
        ]
    ),
    "test_error_handling": CallToolResult(
        content=[TextContent(text="This tool intentionally returns an error for testing")], is_error=True
    ),
    "json_schema_2020_12_tool": text("ok"),
    "test_x_mcp_header": text("ok"),
}
"""What the tools without behaviour answer."""

_SCHEMAS: dict[str, dict[str, Any]] = {
    "json_schema_2020_12_tool": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    },
    "test_x_mcp_header": {
        "type": "object",
        "properties": {"region": {"type": "string", "description": "Mirrored.", "x-mcp-header": "Region"}},
    },
}

TOOLS = [
    Tool(name=name, description="A fixture of the suite.", input_schema=_SCHEMAS.get(name, NOTHING)) for name in ANSWERS
]

RESOURCES = [
    Resource(name="static-text", uri="test://static-text", description="A text.", mime_type="text/plain"),
    Resource(name="static-binary", uri="test://static-binary", description="A pixel.", mime_type="image/png"),
    Resource(name="watched-resource", uri="test://watched-resource", description="A text.", mime_type="text/plain"),
]
TEMPLATES = [
    ResourceTemplate(
        name="template",
        uri_template="test://template/{id}/data",
        description="A resource by its id.",
        mime_type="application/json",
    )
]


def read(uri: str) -> ReadResourceResult | None:
    """Return a fixture's contents, or None for a URI that is none of ours."""
    if uri == "test://static-binary":
        return ReadResourceResult(contents=[BlobResourceContents(uri=uri, mime_type="image/png", blob=IMAGE.data)])
    texts = {
        "test://static-text": ("text/plain", "This is the content of the static text resource."),
        "test://watched-resource": ("text/plain", "Watched resource content"),
    }
    if uri.startswith("test://template/") and uri.endswith("/data"):
        name = uri.removeprefix("test://template/").removesuffix("/data")
        data = {"id": name, "templateTest": True, "data": f"Data for ID: {name}"}
        texts[uri] = ("application/json", json.dumps(data))
    if uri not in texts:
        return None
    mime_type, words = texts[uri]
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=mime_type, text=words)])


def _argument(name: str) -> PromptArgument:
    return PromptArgument(name=name, description="A test argument.", required=True)


PROMPTS = [
    Prompt(name="test_simple_prompt", description="A prompt without arguments."),
    Prompt(
        name="test_prompt_with_arguments",
        description="A prompt with arguments.",
        arguments=[_argument("arg1"), _argument("arg2")],
    ),
    Prompt(
        name="test_prompt_with_embedded_resource",
        description="A prompt that embeds a resource.",
        arguments=[_argument("resourceUri")],
    ),
    Prompt(name="test_prompt_with_image", description="A prompt with an image."),
]


def prompt(params: GetPromptRequestParams) -> GetPromptResult | None:
    """Return a fixture prompt, or None for a name that is none of ours."""
    given = params.arguments or {}
    contents: dict[str, list[Any]] = {
        "test_simple_prompt": [TextContent(text="This is a simple prompt for testing.")],
        "test_prompt_with_arguments": [
            TextContent(text=f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'")
        ],
        "test_prompt_with_embedded_resource": [
            embedded(given.get("resourceUri", ""), "text/plain", "Embedded resource content for testing."),
            TextContent(text="Please process the embedded resource above."),
        ],
        "test_prompt_with_image": [IMAGE, TextContent(text="Please analyze the image above.")],
    }
    if params.name not in contents:
        return None
    return GetPromptResult(messages=[PromptMessage(role="user", content=item) for item in contents[params.name]])
