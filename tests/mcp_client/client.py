"""Drives Toolgate with the official Python SDK of the Model Context Protocol.

Over stdio and over HTTP, with both generations of the protocol: connects,
lists the tools, calls them on a temporary tree, and checks results, schemas,
annotations, errors, digests, approvals and cancellation. Prints one line per failed
check and ends with `N passed, M failed`; the exit status is 1 if any failed.

    python client.py TOOLGATE                            # everything but cancellation
    python client.py TOOLGATE --probe probe.wasm         # cancellation, with the test guest
"""

import argparse
import asyncio
import tempfile
from pathlib import Path

from jsonschema import Draft202012Validator
from mcp import Client, MCPError

from approvals import check_approvals
from cancellation import check_cancellation
from checks import Report
from digests import check_apart, check_digests, check_shared
from digests import plant as plant_many
from servers import http_server, stdio_server

# How to connect, and the protocol version that comes of it.
MODES = {"legacy": "2025-11-25", "auto": "2026-07-28"}
INVALID_PARAMS = -32602

# What each tool must say about itself: read-only, destructive.
CLASSES = {
    "delete_file": (False, True),
    "edit_file": (False, True),
    "glob": (True, False),
    "grep": (True, False),
    "json_query": (True, False),
    "list_dir": (True, False),
    "read_file": (True, False),
    "read_many_files": (True, False),
    "retrieve_raw": (True, False),
    "stat": (True, False),
    "todo": (False, False),
    "view_file_outline": (True, False),
    "write_file": (False, True),
}


def plant(root: Path) -> None:
    (root / "src").mkdir()
    (root / "src" / "main.rs").write_text("fn main() {}\n// needle\n")
    (root / "notes.txt").write_text("one\ntwo\nneedle three\n")


async def check_listing(client: Client, report: Report) -> None:
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    report.check("every tool is listed", CLASSES.keys() <= tools.keys(), sorted(tools))
    for name, (read_only, destructive) in CLASSES.items():
        tool = tools.get(name)
        if tool is None:
            continue
        report.check(f"{name}: is described", bool(tool.description and tool.title), tool)
        for kind, schema in (("input", tool.input_schema), ("output", tool.output_schema)):
            report.check(f"{name}: {kind} schema is an object schema", schema and schema.get("type") == "object", schema)
            with report.no_error(f"{name}: {kind} schema is valid"):
                Draft202012Validator.check_schema(schema)
        report.check(f"{name}: refuses unknown arguments", tool.input_schema.get("additionalProperties") is False)
        hints = tool.annotations
        report.check(f"{name}: readOnlyHint", hints and hints.read_only_hint is read_only, hints)
        report.check(f"{name}: destructiveHint", hints and hints.destructive_hint is destructive, hints)
        report.check(f"{name}: idempotentHint", hints and hints.idempotent_hint is not None, hints)
        report.check(f"{name}: openWorldHint", hints and hints.open_world_hint is False, hints)


async def check_calls(client: Client, root: Path, report: Report) -> None:
    schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}

    async def call(name: str, **arguments):
        result = await client.call_tool(name, arguments)
        report.check(f"{name}: succeeds", not result.is_error, result.content)
        with report.no_error(f"{name}: the result fits its schema"):
            Draft202012Validator(schemas[name]).validate(result.structured_content)
        report.check(f"{name}: the text is the same object", report.parse(result.content[0].text) == result.structured_content)
        return result.structured_content or {}

    read = await call("read_file", path="notes.txt")
    report.check("read_file: content", "needle three" in read.get("content", ""), read)

    listing = await call("list_dir", path=".")
    names = {entry.get("name") for entry in listing.get("entries", [])}
    report.check("list_dir: entries", {"src", "notes.txt"} <= names, listing)

    status = await call("stat", path="notes.txt")
    report.check("stat: size", status.get("size") == (root / "notes.txt").stat().st_size, status)

    matches = await call("grep", pattern="needle", path=".")
    report.check("grep: finds both files", all(name in str(matches) for name in ("notes.txt", "main.rs")), matches)

    await call("write_file", path="made.txt", content="written over MCP\n")
    made = root / "made.txt"
    report.check("write_file: the file is there", made.is_file() and made.read_text() == "written over MCP\n")
    made.unlink(missing_ok=True)

    together = await asyncio.gather(*(client.call_tool("read_file", {"path": "notes.txt"}) for _ in range(20)))
    report.check("20 calls at once", all(not result.is_error for result in together))


async def check_failures(client: Client, report: Report) -> None:
    async def failure(name: str, kind: str, **arguments):
        result = await client.call_tool(name, arguments)
        error = result.structured_content or {}
        report.check(f"{name} {arguments}: isError", result.is_error is True, result)
        report.check(f"{name} {arguments}: kind {kind}", error.get("kind") == kind, error)
        report.check(f"{name} {arguments}: same text", result.content[0].text == error.get("error"), result.content)

    await failure("read_file", "not_found", path="absent.txt")
    await failure("read_file", "invalid_arguments", path="notes.txt", colour="red")
    await failure("read_file", "invalid_arguments")
    with tempfile.NamedTemporaryFile() as outside:
        await failure("read_file", "denied", path=outside.name)

    try:
        await client.call_tool("raed_file", {"path": "notes.txt"})
        report.check("an unknown tool is a protocol error", False)
    except MCPError as error:
        report.check("an unknown tool is a protocol error", error.error.code == INVALID_PARAMS, error)
        report.check("it is named, with a suggestion", all(name in str(error) for name in ("raed_file", "read_file")), error)


async def check_session(client: Client, root: Path, report: Report) -> None:
    info = client.server_info
    report.check("the server names itself", info is not None and info.name == "toolgate" and info.version, info)
    report.check("instructions name the root", str(root) in (client.instructions or ""), client.instructions)
    await check_listing(client, report)
    await check_calls(client, root, report)
    await check_failures(client, report)
    await check_digests(client, root, report)


async def run(toolgate: str, probe: str | None, report: Report) -> None:
    plugin = ["--plugin", probe] if probe else []
    for transport in (stdio_server, http_server):
        for mode, version in MODES.items():
            with tempfile.TemporaryDirectory() as directory:
                root = Path(directory).resolve()
                plant(root)
                plant_many(root)
                report.part = f"{transport.__name__} {mode}"
                async with transport(toolgate, root, ["--mode", "acceptEdits", *plugin]) as (target, pid):
                    async with Client(target, mode=mode, read_timeout_seconds=60) as client:
                        report.check("protocol version", client.protocol_version == version, client.protocol_version)
                        if probe:
                            await check_cancellation(client, pid(), report)
                        else:
                            await check_session(client, root, report)
                    if not probe and transport is http_server and mode == "auto":
                        await check_shared(target, mode, report)
                    elif not probe:
                        await check_apart(target, mode, report)
                if not probe:
                    async with transport(toolgate, root, ["--mode", "ask"]) as (target, _):
                        await check_approvals(target, mode, root, report)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("toolgate", help="the binary")
    parser.add_argument("--probe", help="the test guest `probe`; checks cancellation only")
    arguments = parser.parse_args()
    report = Report()
    asyncio.run(run(arguments.toolgate, arguments.probe, report))
    return report.summary()


if __name__ == "__main__":
    raise SystemExit(main())
