"""Drives the approval prompt of `toolgate call` through a pseudo-terminal.

    python prompt.py TOOLGATE
"""

import json
import os
import pty
import re
import select
import signal
import sys
import tempfile
import time
from pathlib import Path

from checks import Report

START_SECONDS = 120  # the very first start may compile the built-in tools
QUESTION = "/N] "  # the end of the line that asks
STYLES = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """`toolgate` as the only job of a terminal of its own."""

    def __init__(self, command: list[str], stdin: str | None = None) -> None:
        self.text = ""
        reader, writer = os.pipe()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            if stdin is not None:
                os.dup2(reader, 0)
            os.close(writer)
            os.execv(command[0], command)
        os.close(reader)
        os.write(writer, (stdin or "").encode())
        os.close(writer)

    def wait_for(self, text: str, seconds: float = START_SECONDS) -> bool:
        """Reads until the text has appeared since the last call."""
        deadline = time.monotonic() + seconds
        while text not in self.text:
            ready, _, _ = select.select([self.fd], [], [], max(0.0, deadline - time.monotonic()))
            chunk = self.read() if ready else ""
            if not chunk:
                return False
            self.text += chunk
        self.seen, _, self.text = self.text.partition(text)
        return True

    def read(self) -> str:
        try:
            return os.read(self.fd, 65536).decode(errors="replace")
        except OSError:  # the other side is closed
            return ""

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def finish(self) -> int:
        """Reads to the end and returns the exit status."""
        while chunk := self.read():
            self.text += chunk
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def result_of(text: str):
    """The JSON object that ends the output, styles removed."""
    bare = STYLES.sub("", text)
    return json.loads(bare[bare.index("{"):])


def check_prompt(toolgate: str, root: Path, report: Report) -> None:
    made = root / "made.txt"

    def call(stdin: str | None = None, content: str = "x", path: str = "made.txt") -> Terminal:
        arguments = json.dumps({"path": path, "content": content})
        if stdin is not None:
            stdin, arguments = arguments, "-"
        return Terminal([toolgate, "call", "--root", str(root), "write_file", arguments], stdin)

    report.part = "yes"
    terminal = call(content="colour \u001b[31m and \u202e direction")
    report.check("the operator is asked", terminal.wait_for(QUESTION), terminal.text)
    shown = STYLES.sub("", terminal.seen)
    report.check("tool and path are shown", "write_file" in shown and str(made) in shown, shown)
    report.check("no control character of the arguments comes through", "\u202e" not in terminal.seen and "\x1b[31m and" not in terminal.seen)
    report.check("nothing has happened yet", not made.exists())
    terminal.type("maybe\n")
    report.check("an unclear answer is asked again", terminal.wait_for(QUESTION) and "type y, " in terminal.seen and "or n" in terminal.seen, terminal.text)
    terminal.type("y\n")
    status = terminal.finish()
    report.check("yes lets it happen", status == 0 and made.exists(), (status, terminal.text))
    made.unlink(missing_ok=True)

    for answer, name in (("\n", "empty"), ("n\n", "no"), ("\x04", "end of input")):
        report.part = name
        terminal = call()
        report.check("the operator is asked", terminal.wait_for(QUESTION), terminal.text)
        terminal.type(answer)
        status = terminal.finish()
        report.check("it does not happen", status == 1 and not made.exists(), (status, terminal.text))
        with report.no_error("the error says so"):
            assert result_of(terminal.text)["kind"] == "denied"

    report.part = "long arguments"
    terminal = call(content="".join(f"line {number}\n" for number in range(100)))
    report.check("the operator is asked", terminal.wait_for(QUESTION), terminal.text)
    seen = pages = STYLES.sub("", terminal.seen)
    while "m shows them" in seen:
        terminal.type("m\n")
        report.check("more is shown", terminal.wait_for(QUESTION), terminal.text)
        seen = STYLES.sub("", terminal.seen)
        report.check("the path stands last on every page", seen.rfind(str(made)) > seen.rfind("│"), seen)
        pages += seen
    report.check("all of it is shown, in pages", all(f"│ line {number}\r" in pages for number in range(100)), pages)
    terminal.type("m\n")
    report.check("there is no more", terminal.wait_for(QUESTION) and "not an answer" in terminal.seen, terminal.seen)
    terminal.type("n\n")
    report.check("it does not happen", terminal.finish() == 1 and not made.exists())

    report.part = "kinds"
    (root / ".agents").mkdir()
    for path, words, choices in (
        (".agents/config.json", "CONTROL PLANE", "[y/N] "),
        ("/usr/share/toolgate-test", "OUTSIDE THE PROJECT", QUESTION),
    ):
        terminal = call(path=path)
        report.check(f"{path}: the operator is asked", terminal.wait_for(choices), terminal.text)
        report.check(f"{path}: the kind is visible", terminal.seen.count(words) == 2, terminal.seen)
        terminal.type("\n")
        report.check(f"{path}: it does not happen", terminal.finish() == 1 and not (root / path).exists())

    report.part = "typed ahead"
    terminal = call()
    terminal.type("y\n")
    report.check("the operator is asked", terminal.wait_for(QUESTION), terminal.text)
    report.check("keys pressed before the question are no answer", not terminal.wait_for('"', 0.5), terminal.text)
    terminal.type("n\n")
    report.check("it does not happen", terminal.finish() == 1 and not made.exists())

    report.part = "arguments on standard input"
    terminal = call(stdin="")
    report.check("the operator is asked on the terminal", terminal.wait_for(QUESTION), terminal.text)
    terminal.type("y\n")
    report.check("yes lets it happen", terminal.finish() == 0 and made.exists())
    made.unlink(missing_ok=True)

    report.part = "Ctrl-C"
    terminal = call()
    report.check("the operator is asked", terminal.wait_for(QUESTION), terminal.text)
    terminal.type("\x03")
    status = terminal.finish()
    report.check("the call is cancelled", status == 128 + signal.SIGINT and not made.exists(), (status, terminal.text))


def main() -> int:
    report = Report()
    with tempfile.TemporaryDirectory() as directory:
        check_prompt(sys.argv[1], Path(directory).resolve(), report)
    return report.summary()


if __name__ == "__main__":
    raise SystemExit(main())
