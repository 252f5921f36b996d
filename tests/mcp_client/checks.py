"""Counts checks and says which failed."""

import contextlib
import json
from typing import Any


class Report:
    """The outcome of all checks so far; `part` says what is under test."""

    def __init__(self) -> None:
        self.part = ""
        self.passed = 0
        self.failed = 0

    def check(self, name: str, condition: object, detail: object = "") -> None:
        """Counts one check; a failed one is printed with what was seen."""
        if condition:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED [{self.part}] {name}: {detail!s:.500}", flush=True)

    @contextlib.contextmanager
    def no_error(self, name: str):
        """A check that passes unless its body raises."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - any error fails the check
            self.check(name, False, error)
        else:
            self.check(name, True)

    @staticmethod
    def parse(text: str) -> Any:
        """The JSON value of a text, or None."""
        try:
            return json.loads(text)
        except ValueError:
            return None

    def summary(self) -> int:
        """Prints the last line; returns the exit status."""
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        return 1 if self.failed or not self.passed else 0
