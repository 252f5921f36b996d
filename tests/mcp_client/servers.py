"""Starts Toolgate the two ways a client can reach it."""

import asyncio
import contextlib
import os
import re
from pathlib import Path

from mcp import StdioServerParameters

START_SECONDS = 120  # the very first start may compile the built-in tools


@contextlib.asynccontextmanager
async def stdio_server(toolgate: str, root: Path, options: list[str]):
    """Yields what `Client` launches, and a function for the child's process id."""
    before = set(children())
    arguments = ["serve", "--stdio", "--root", str(root), *options]
    environment = {name: value for name, value in os.environ.items() if name in ("HOME", "PATH")}
    target = StdioServerParameters(command=toolgate, args=arguments, env=environment)
    yield target, lambda: (set(children()) - before).pop()


@contextlib.asynccontextmanager
async def http_server(toolgate: str, root: Path, options: list[str]):
    """Yields the URL of a running server, and a function for its process id."""
    process = await asyncio.create_subprocess_exec(
        toolgate, "serve", "--http", "127.0.0.1:0", "--root", str(root), *options,
        stdin=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )
    try:
        url = await asyncio.wait_for(first_url(process.stderr), START_SECONDS)
        rest = asyncio.create_task(process.stderr.read())
        yield url, lambda: process.pid
        rest.cancel()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


async def first_url(stream: asyncio.StreamReader) -> str:
    seen = []
    while line := (await stream.readline()).decode():
        seen.append(line)
        if found := re.search(r"http://\S+/mcp", line):
            return found.group()
    raise RuntimeError(f"the server ended without naming its address: {''.join(seen)}")


def children() -> list[int]:
    """The process ids of our children, of all threads."""
    return [
        int(pid)
        for task in Path("/proc/self/task").iterdir()
        for pid in (task / "children").read_text().split()
    ]
