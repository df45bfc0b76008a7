"""No ruling without a test: every number of the rules is cited by one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

RULINGS = [*range(1, 21), *range(30, 34), *range(40, 44), 50, *range(60, 75), 80, 81, *range(90, 99)]
TESTS = Path(__file__).resolve().parents[1]


def cited(text: str) -> set[int]:
    """The rulings that a text names, ranges such as R14-R17 too."""
    found = {int(number) for number in re.findall(r"\bR(\d+)\b", text)}
    for first, last in re.findall(r"\bR(\d+)-R(\d+)\b", text):
        found |= set(range(int(first), int(last) + 1))
    return found


def test_every_ruling_is_cited_by_a_test():
    """In the sentence of a test that runs by default."""
    seen: set[int] = set()
    for folder in ("rules", "events"):
        for path in sorted((TESTS / folder).glob("test_*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                    seen |= cited(ast.get_docstring(node) or "")
    assert sorted(set(RULINGS) - seen) == []
