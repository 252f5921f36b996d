"""Digests of large results, and the whole results as resources."""

import asyncio
import json
from pathlib import Path

from jsonschema import Draft202012Validator
from mcp import Client, MCPError
from mcp_types import ResourceLink

from checks import Report

PREFIX = "toolgate://payloads/"
FILES = 300


def plant(root: Path) -> None:
    """A directory whose listing and search are large, with characters of several bytes."""
    (root / "many").mkdir()
    for number in range(FILES):
        (root / "many" / f"näme-{number:03}.txt").write_text(f"wanted 🪡 {number}\n")


async def digested(client: Client, report: Report, name: str, **arguments) -> tuple[dict, ResourceLink | None]:
    """A call whose result is a digest; the digest and its link."""
    # The client itself checks the result against the tool's output schema, and raises.
    result = await client.call_tool(name, arguments)
    digest = result.structured_content or {}
    report.check(f"{name}: is a digest", not result.is_error and "digest" in digest and "call_id" in digest, digest)
    schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
    with report.no_error(f"{name}: the digest fits the schema"):
        Draft202012Validator(schemas[name]).validate(digest)
    report.check(f"{name}: the text is the same object", report.parse(result.content[0].text) == digest)
    links = [block for block in result.content if isinstance(block, ResourceLink)]
    report.check(f"{name}: links to the whole result", len(links) == 1, result.content)
    return digest, links[0] if links else None


async def text_of(client: Client, uri: str) -> str | None:
    """The text of a resource, or None if there is none."""
    try:
        contents = (await client.read_resource(uri)).contents
    except MCPError:
        return None
    return contents[0].text if len(contents) == 1 else None


async def check_digests(client: Client, root: Path, report: Report) -> None:
    """Needs a tree with `plant`."""
    templates = (await client.list_resource_templates()).resource_templates
    report.check("resources have a template", [t.uri_template for t in templates] == [PREFIX + "{call_id}"], templates)

    calls = {"list_dir": {"path": "many"}, "grep": {"pattern": "wanted", "path": "many"}, "glob": {"pattern": "many/*"}}
    for name, arguments in calls.items():
        digest, link = await digested(client, report, name, **arguments)
        uri = str(link.uri) if link else ""
        report.check(f"{name}: the link names the call", uri == PREFIX + digest.get("call_id", ""), link)
        report.check(f"{name}: the link tells type and size", link and link.size == digest.get("raw_bytes") and link.mime_type == "application/json", link)

        raw = await text_of(client, uri) or ""
        report.check(f"{name}: the resource has all bytes", len(raw.encode()) == digest.get("raw_bytes"), len(raw.encode()))
        report.check(f"{name}: the resource is the whole result", raw.count("näme-") >= FILES and report.parse(raw), raw)
        pages, offset = "", 0
        while offset is not None:
            page = (await client.call_tool("retrieve_raw", {"call_id": digest["call_id"], "offset": offset, "limit": 4000})).structured_content
            pages, offset = pages + page["raw"], page.get("next_offset")
        report.check(f"{name}: retrieve_raw gives the same bytes", pages == raw)

        listed = {str(resource.uri): resource for resource in (await client.list_resources()).resources}
        report.check(f"{name}: the resource is listed", uri in listed and listed[uri].size == digest.get("raw_bytes"), listed)
        report.check(f"{name}: the list tells whose result it is", name in (listed[uri].description or ""), listed[uri])

    small = await client.call_tool("list_dir", {"path": "src"})
    report.check("a small result stays whole", "entries" in (small.structured_content or {}) and len(small.content) == 1, small)
    for uri in (PREFIX + "nope", PREFIX, PREFIX + "../x", "toolgate://other/x", "file:///etc/passwd"):
        report.check(f"no resource {uri}", await text_of(client, uri) is None)


async def check_apart(target, mode: str, report: Report) -> None:
    """Two clients with sessions of their own do not see each other's results."""
    async with Client(target, mode=mode, read_timeout_seconds=60) as one, Client(target, mode=mode, read_timeout_seconds=60) as other:
        digest, link = await digested(one, report, "list_dir", path="many")
        report.check("apart: the other one's list is empty", not (await other.list_resources()).resources)
        report.check("apart: the other one cannot read it", await text_of(other, str(link.uri)) is None)
        found = await other.call_tool("retrieve_raw", {"call_id": digest["call_id"]})
        report.check("apart: nor retrieve it", found.is_error and (found.structured_content or {}).get("kind") == "not_found", found)
        report.check("apart: it is still there", await text_of(one, str(link.uri)) is not None)
        await one.call_tool("todo", {"action": "add", "text": "mine"})
        theirs = (await other.call_tool("todo", {"action": "list"})).structured_content
        report.check("apart: lists too", theirs == {"items": []}, theirs)


async def check_shared(target, mode: str, report: Report) -> None:
    """Without sessions, what is kept belongs to the server's clients together."""
    async with Client(target, mode=mode, read_timeout_seconds=60) as client:
        digest, link = await digested(client, report, "list_dir", path="many")
        await asyncio.gather(*(client.call_tool("todo", {"action": "add", "text": f"item {number}"}) for number in range(20)))
    async with Client(target, mode=mode, read_timeout_seconds=60) as client:
        todo = (await client.call_tool("todo", {"action": "list"})).structured_content or {}
        items = todo.get("items", [])
        report.check("shared: every item is there", [item["id"] for item in items] == list(range(1, 21)), items)
        report.check("shared: each once", len({item["text"] for item in items}) == 20, items)
        raw = await text_of(client, str(link.uri))
        report.check("shared: the result too", raw is not None and len(raw.encode()) == digest.get("raw_bytes"))
        report.check("shared: and it is listed", json.dumps([str(r.uri) for r in (await client.list_resources()).resources]).count(digest["call_id"]) == 1)
