"""A clone stands on its own: nothing in it points to where it was made."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.frame.repository import ROOT, name, tracked

# Put together from pieces, so that this file does not contain them.
REGISTRIES = [
    "files." + "python" + "hosted.org", "py" + "pi.org", "registry." + "npm" + "js", "deb." + "debian.org", "proxy." + "golang.org",
    "index." + "crates.io", "static." + "crates.io",
]  # fmt: skip
ELSEWHERE = [
    r"\.\./" + "shared", r"(?<![\w.])/" + r"work/", r"(?<![\w.])/" + r"home/\w", r"(?<![\w.])/" + r"root/", r"/tmp/" + "brief",
]  # fmt: skip

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCKS = ["requirements.lock", "requirements-dev.lock"]


def texts() -> list[tuple[str, str]]:
    """Name and text of each tracked text file."""
    found = []
    for path in tracked():
        data = path.read_bytes()
        if b"\0" not in data[:8192]:
            found.append((name(path), data.decode("utf-8", "replace")))
    return found


def pins(lock: str) -> dict[str, str]:
    """Package -> its one version in a lock."""
    pinned = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", (ROOT / lock).read_text(), re.M)
    return {canonicalize_name(package): version for package, version in pinned}


@pytest.mark.parametrize("pattern", [*map(re.escape, REGISTRIES), *ELSEWHERE])
def test_no_file_points_outside(pattern: str) -> None:
    """No tracked file names a package registry's host or a path of somebody's machine."""
    looked = re.compile(pattern)
    guilty = [where for where, text in texts() if looked.search(text)]
    assert not guilty, f"{pattern!r} stands in {', '.join(guilty)}"


def test_the_search_would_find_a_path() -> None:
    """The patterns above are not so strict that they find nothing."""
    wanted = ["see ../" + "shared/x", "'/" + "work/main'", "cd /" + "home/ada", "/" + "root/.config", "(/tmp/" + "brief/x)"]
    assert all(re.search(pattern, text) for pattern, text in zip(ELSEWHERE, wanted, strict=True))
    assert not re.search(ELSEWHERE[1], "https://example.org/net" + "work/ and .github/" + "work/")


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_of_a_lock_has_its_hashes(lock: str) -> None:
    """A lock names versions and hashes, and no host."""
    text = (ROOT / lock).read_text()
    assert "://" not in text
    entries = re.split(r"\n(?=[A-Za-z0-9])", text)[1:]
    assert len(entries) > 20
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []


def test_the_locks_agree() -> None:
    """Whoever runs the tests plays with the same versions as whoever only plays."""
    play, tools = (pins(lock) for lock in LOCKS)
    assert {package: tools.get(package) for package in play} == play


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ("requirements.lock", PROJECT["project"]["dependencies"] + PROJECT["dependency-groups"]["build"]),
        ("requirements-dev.lock", PROJECT["dependency-groups"]["dev"]),
    ],
    ids=LOCKS,
)
def test_the_lock_holds_what_the_project_asks_for(lock: str, wanted: list[str]) -> None:
    """Each dependency is bounded from above and pinned within its bounds; otherwise: `make lock`."""
    pinned = pins(lock)
    for requirement in map(Requirement, wanted):
        assert any(bound.operator == "<" for bound in requirement.specifier), f"{requirement} has no upper bound"
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)]), f"{requirement}: run `make lock`"
