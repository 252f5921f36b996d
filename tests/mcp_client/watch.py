"""Drives `toolgate approvals watch` through a pseudo-terminal.

    python watch.py TOOLGATE STATE

STATE is a state directory that no other test uses.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import Report
from prompt import QUESTION, STYLES, Terminal

SECONDS = 60


def check_watch(toolgate: str, root: Path, report: Report) -> None:
    def call(name: str, content: str = "x") -> subprocess.Popen:
        arguments = json.dumps({"path": name, "content": content})
        command = [toolgate, "call", "--root", str(root), "--approvals", "write_file", arguments]
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def finish(process: subprocess.Popen) -> tuple[int, dict]:
        output, _ = process.communicate(timeout=SECONDS)
        return process.returncode, json.loads(output)

    def pending() -> list[dict]:
        listed = subprocess.run([toolgate, "approvals"], capture_output=True, check=True, text=True)
        return [json.loads(line) for line in listed.stdout.splitlines()]

    watch = Terminal([toolgate, "approvals", "watch"])
    report.check("it says what it does", watch.wait_for("Ctrl-C ends it", SECONDS), watch.text)

    report.part = "yes"
    process = call("yes.txt", "colour \u001b[31m and \u202e direction")
    report.check("asked", watch.wait_for(QUESTION, SECONDS), watch.text)
    shown = STYLES.sub("", watch.seen)
    report.check("tool and path are shown", "write_file" in shown and str(root / "yes.txt") in shown, shown)
    report.check("no control character comes through", "\u202e" not in watch.seen and "\x1b[31m and" not in watch.seen, shown)
    watch.type("y\n")
    status, result = finish(process)
    report.check("it happens", status == 0 and (root / "yes.txt").exists(), result)

    report.part = "no"
    process = call("no.txt")
    report.check("asked", watch.wait_for(QUESTION, SECONDS), watch.text)
    watch.type("\n")
    status, error = finish(process)
    report.check("it does not happen", status == 1 and error["kind"] == "denied" and not (root / "no.txt").exists(), error)

    report.part = "withdrawn"
    process = call("gone.txt")
    report.check("asked", watch.wait_for(QUESTION, SECONDS), watch.text)
    process.send_signal(signal.SIGINT)
    finish(process)
    report.check("it is told", watch.wait_for("withdrawn", SECONDS), watch.text)

    report.part = "answered elsewhere"
    process = call("else.txt")
    report.check("asked", watch.wait_for(QUESTION, SECONDS), watch.text)
    subprocess.run([toolgate, "approvals", "answer", pending()[0]["id"], "y"], check=True, capture_output=True)
    status, result = finish(process)
    report.check("it happens", status == 0, result)
    report.check("it is told", watch.wait_for("somebody else", SECONDS) or watch.wait_for("withdrawn", 1), watch.text)

    report.part = "several"
    processes = [call(f"several-{number}.txt") for number in range(3)]
    for _ in processes:
        report.check("asked, one after the other", watch.wait_for(QUESTION, SECONDS), watch.text)
        watch.type("y\n")
    report.check("all happen", all(finish(process)[0] == 0 for process in processes))

    report.part = "Ctrl-C"
    watch.type("\x03")
    report.check("it ends", watch.finish() == 128 + signal.SIGINT, watch.text)

    report.part = "end of input"
    watch = Terminal([toolgate, "approvals", "watch"])
    report.check("it says what it does", watch.wait_for("Ctrl-C ends it", SECONDS), watch.text)
    process = call("left.txt")
    report.check("asked", watch.wait_for(QUESTION, SECONDS), watch.text)
    watch.type("\x04")
    report.check("it ends without an answer", watch.finish() == 0, watch.text)
    report.check("the question is still open", len(pending()) == 1)
    process.send_signal(signal.SIGINT)
    finish(process)


def check_list(toolgate: str, root: Path, report: Report) -> None:
    """The table on a terminal."""
    report.part = "table"
    arguments = json.dumps({"path": "table.txt", "content": "x"})
    command = [toolgate, "call", "--root", str(root), "--approvals", "write_file", arguments]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        for _ in range(SECONDS * 5):
            table = Terminal([toolgate, "approvals"])
            table.finish()
            if "table.txt" in table.text:
                break
        bare = STYLES.sub("", table.text)
        report.check("it has a heading and the question", "ID" in bare and "WANTS TO" in bare and "write_file" in bare, bare)
        listed = Terminal([toolgate, "approvals", "--json"])
        listed.finish()
        with report.no_error("--json is JSON on a terminal, too"):
            assert json.loads(listed.text)["tool"] == "write_file"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(SECONDS)


def main() -> int:
    report = Report()
    os.environ["XDG_STATE_HOME"] = sys.argv[2]
    with tempfile.TemporaryDirectory() as directory, contextlib.chdir(directory):
        root = Path(directory).resolve()
        check_watch(sys.argv[1], root, report)
        check_list(sys.argv[1], root, report)
    return report.summary()


if __name__ == "__main__":
    raise SystemExit(main())
