"""Cancellation, checked with a call that would take years."""

import asyncio
import os
import time
from pathlib import Path

from mcp import Client

from checks import Report

# The test guest `probe` repeats operations; between two of them it is in the host.
TOOL = "probe_read"
ARGUMENTS = {"path": ".", "ops": [{"op": "type", "at": "0"}], "repeat": 10**15}
TICKS = os.sysconf("SC_CLK_TCK")
RECOVERY_SECONDS = 1.0

# Shares of one processor. Other work on the machine takes its part of the first.
RUNNING = 0.1
IDLE = 0.06


async def check_cancellation(client: Client, pid: int, report: Report) -> None:
    """A call given up by the client stops burning processor time within a second."""
    call = asyncio.create_task(client.call_tool(TOOL, ARGUMENTS))
    await asyncio.sleep(0.5)
    report.check("endless call: is running", not call.done() and processor_share(pid) > RUNNING)

    call.cancel()
    try:
        await call
        report.check("endless call: the client gave up", False, "the call returned")
    except asyncio.CancelledError:
        report.check("endless call: the client gave up", True)

    await asyncio.sleep(RECOVERY_SECONDS)
    share = processor_share(pid)
    report.check("endless call: the guest was stopped", share < IDLE, f"it still uses {share:.0%} of a processor")

    started = time.monotonic()
    result = await client.call_tool("read_file", {"path": "notes.txt"})
    report.check("the session goes on", not result.is_error and time.monotonic() - started < 5, result)


def processor_share(pid: int, seconds: float = 0.5) -> float:
    """How much of one processor a process uses now."""
    before = processor_ticks(pid)
    time.sleep(seconds)
    return (processor_ticks(pid) - before) / TICKS / seconds


def processor_ticks(pid: int) -> int:
    # Fields after the name, which is in parentheses and may hold blanks.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
