"""Approvals: the server asks the client's user, and the answer decides."""

from pathlib import Path

from mcp import Client
from mcp_types import ElicitResult

from checks import Report

ANSWERS = {
    "allow-once": ElicitResult(action="accept", content={"decision": "allow-once"}),
    "allow once": ElicitResult(action="accept", content={"decision": "allow once"}),
    "allow-session": ElicitResult(action="accept", content={"decision": "allow-session"}),
    "allow-everything": ElicitResult(action="accept", content={"decision": "allow-everything"}),
    "deny": ElicitResult(action="accept", content={"decision": "deny"}),
    "decline": ElicitResult(action="decline"),
    "cancel": ElicitResult(action="cancel"),
    "no decision": ElicitResult(action="accept", content={}),
}


class User:
    """Answers every form the same way and remembers what it was shown."""

    def __init__(self) -> None:
        self.answer = "deny"
        self.shown: list[str] = []
        self.choices: list[str] = []
        self.titles: list[str] = []

    async def __call__(self, context, form):
        self.shown.append(form.message)
        decision = form.requested_schema["properties"]["decision"]
        self.choices = decision["enum"]
        self.titles = decision["enumNames"]
        return ANSWERS[self.answer]


async def check_approvals(target, mode: str, root: Path, report: Report) -> None:
    """Needs a server in mode `ask`."""
    user = User()
    async with Client(target, mode=mode, elicitation_callback=user, read_timeout_seconds=60) as client:

        async def write(name: str, answer: str):
            user.answer, user.shown = answer, []
            return await client.call_tool("write_file", {"path": name, "content": "x"})

        result = await write("once.txt", "allow-once")
        report.check("asked once", len(user.shown) == 1, user.shown)
        report.check("tool and path are shown", all(text in user.shown[0] for text in ("write_file", str(root / "once.txt"))), user.shown)
        report.check("yes lets it happen", not result.is_error and (root / "once.txt").exists(), result)

        report.check("every choice says what it covers", len(user.titles) == len(user.choices) and all(user.titles), user.titles)
        report.check("denying and allowing once are offered", {"deny", "allow-once"} <= set(user.choices), user.choices)

        await write("once.txt", "allow once")
        report.check("once is once", len(user.shown) == 1, user.shown)

        for answer in ("deny", "decline", "cancel", "no decision", "allow-everything"):
            name = f"{answer}.txt".replace(" ", "-")
            result = await write(name, answer)
            kind = (result.structured_content or {}).get("kind")
            report.check(f"{answer}: asked", len(user.shown) == 1, user.shown)
            report.check(f"{answer}: denied", result.is_error and kind == "denied", result)
            report.check(f"{answer}: nothing happened", not (root / name).exists())

        (root / ".agents").mkdir(exist_ok=True)
        await write(".agents/config.json", "deny")
        report.check("the control plane is told apart", "CONTROL PLANE" in user.shown[0], user.shown)
        report.check("it is allowed once at most", sorted(user.choices) == ["allow-once", "deny"], user.choices)

        await write("choices.txt", "deny")
        if "allow-session" in user.choices:
            await write("session.txt", "allow-session")
            result = await write("session.txt", "deny")
            report.check("a session grant is remembered", not result.is_error and not user.shown, user.shown)

    async with Client(target, mode=mode, read_timeout_seconds=60) as client:
        result = await client.call_tool("write_file", {"path": "nobody.txt", "content": "x"})
        kind = (result.structured_content or {}).get("kind")
        report.check("nobody to ask: denied", result.is_error and kind == "denied", result)
        report.check("nobody to ask: nothing happened", not (root / "nobody.txt").exists())
