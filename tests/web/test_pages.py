"""The pages without a browser: addresses, safe headers, three languages with the same keys, nothing asked for that is not there."""

from __future__ import annotations

import json
import re
import string
import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import get_args

import httpx
import pytest
from litestar.testing import TestClient

from events.catalogue import current
from events.refusals import Reason
from events.vocabulary import Free
from projections import audit_report
from projections.audit_kinds import Kind, Unproved
from projections.dispute_price import RULINGS
from projections.phrases import ENGLISH
from services.api import create_app, problems
from services.web import box, files, words
from services.web.routes import pages, templates
from tests.api.given import ProjectingStore
from workers.wiring import House

GAME = "0123456789abcdef0123"
SCRIPTS = {path: file.content.decode() for path, file in files.files().items() if path.endswith(".js")}
STYLES = {path: file.content.decode() for path, file in files.files().items() if path.endswith(".css")}
OTHER_LANGUAGES = [language for language in words.LANGUAGES if language != "en"]


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    house = House.on(ProjectingStore())
    with TestClient(create_app(house, pages())) as client:
        yield client
    house.close()


def page(client: httpx.Client, path: str = "/", **headers: str) -> httpx.Response:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer


# ---- addresses and headers ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("path", ["/", "/new", f"/table/{GAME}"])
def test_a_page_may_load_only_from_this_house(client: httpx.Client, path: str) -> None:
    """No inline script or style is allowed and none is there; nothing comes from elsewhere; text never becomes HTML."""
    answer = page(client, path)
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == policy["img-src"] == "'self'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", answer.text)
    addresses = re.findall(r'(?:src|href)="([^"]+)"', answer.text)
    assert addresses
    assert all(address.startswith(("/", "#")) and not address.startswith("//") for address in addresses)


@pytest.mark.parametrize("path", ["/", "/new", f"/table/{GAME}"])
def test_all_that_a_page_names_is_served(client: httpx.Client, path: str) -> None:
    """Every file of a page's shell, and every module that its modules import, is there and may be kept for good."""
    shell = page(client, path).text
    for address in re.findall(r'(?:src|href|data-words|data-box|data-icons)="(/(?:static|words|box)/[^"#]+)', shell):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    for place, source in SCRIPTS.items():
        for name in re.findall(r'(?:from|import) "(\.[^"]+)"', source):
            found = (Path("/") / place).parent.joinpath(name).resolve().relative_to("/").as_posix()
            assert found in SCRIPTS, f"{place} imports {name}"


@pytest.mark.parametrize("path", ["/table/nothing", "/table/0123456789ABCDEF0123", "/box/abc.json", "/words/de/x.json"])
def test_no_page_for_what_cannot_be(client: httpx.Client, path: str) -> None:
    """An id that cannot be one, an edition or a language that is not here: 404."""
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("path", ["../routes.py", "%2e%2e/routes.py", "js/../../routes.py", "js/nothing.js", "icons", ""])
def test_static_files_are_those_that_were_read_and_no_others(client: httpx.Client, path: str) -> None:
    """No way leads out of the folder of static files."""
    answer = client.get(f"/static/{files.fingerprint()}/{path}")
    assert answer.status_code == 404
    assert "import" not in answer.text


def test_a_file_of_another_version_is_not_kept_for_good(client: httpx.Client) -> None:
    """A page that was open when the house was renewed gets the new file, and asks again next time."""
    answer = client.get("/static/000000000000/css/base.css")
    assert answer.status_code == 200
    assert "immutable" not in answer.headers["cache-control"]


def test_the_pages_are_no_part_of_the_api_document(client: httpx.Client) -> None:
    """`/schema` describes what programs may ask, not what people look at."""
    paths = client.get("/schema/openapi.json").json()["paths"]
    assert "/games" in paths
    assert not [path for path in paths if path.startswith(("/table", "/static", "/words"))]


def test_templates_escape(client: httpx.Client) -> None:
    """Whatever gets into a template is text."""
    text = templates().from_string("<p title='{{ name }}'>{{ name }}</p>").render(name="<img src=x onerror='a'>")
    assert text == "<p title='&lt;img src=x onerror=&#39;a&#39;&gt;'>&lt;img src=x onerror=&#39;a&#39;&gt;</p>"


# ---- languages ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ({}, "en"),
        ({"accept-language": "fr-BE,fr;q=0.9,en;q=0.5"}, "fr"),
        ({"accept-language": "de,nl;q=0.8,en;q=0.9"}, "en"),
        ({"accept-language": "de;q=x,*;q=0.1"}, "en"),
        ({"accept-language": "nl;q=0"}, "en"),
        ({"accept-language": "fr", "cookie": "wonderlog-language=nl"}, "nl"),
        ({"accept-language": "fr", "cookie": "wonderlog-language=xx"}, "fr"),
    ],
)
def test_the_language_is_the_switch_s_then_the_browser_s(client: httpx.Client, headers: dict[str, str], language: str) -> None:
    """The cookie of the switch goes first, then the browser's list, then English."""
    answer = page(client, "/", **{"accept-language": "", **headers})
    assert answer.headers["content-language"] == language
    assert f'<html lang="{language}">' in answer.text
    assert words.words(language).words["nav.new"] in answer.text


def test_the_switch_of_light_and_dark_is_in_the_first_byte(client: httpx.Client) -> None:
    """The server writes the theme, so that nothing flashes; any other value is ignored."""
    assert 'data-theme="dark"' in page(client, "/", cookie="wonderlog-theme=dark").text
    assert "data-theme" not in page(client, "/", cookie='wonderlog-theme="><script>').text


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_every_language_says_all_of_it(language: str) -> None:
    """The key sets are equal, no text is empty, and each has the same placeholders."""
    english, other = words.words("en").words, words.words(language).words
    assert set(other) == set(english)
    for key, text in english.items():
        assert other[key].strip(), key
        assert _placeholders(other[key]) == _placeholders(text), key


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_no_language_is_left_in_english() -> None:
    """Texts of several words differ from the English ones."""
    english = words.words("en").words
    for language in OTHER_LANGUAGES:
        same = [key for key, text in words.words(language).words.items() if text == english[key]]
        assert [key for key in same if len(re.findall(r"[a-z]{3,}", english[key])) > 2] == []


def test_the_chronicle_is_told_in_every_language() -> None:
    """Each phrase of the chronicle has its words; the English ones are those of the projection."""
    english = words.words("en").words
    told = {key for key in ENGLISH if key.partition(".")[0] not in PARTS_OF_SPEECH}
    assert told <= {key.removeprefix("chronicle.") for key in english}
    assert [key for key in told if english[f"chronicle.{key}"] != ENGLISH[key]] == []


PARTS_OF_SPEECH = frozenset(
    {"coins", "points", "cards", "tokens", "players", "side", "option", "age", "seat", "free-city", "bot", "and", "end"}
)
"""Said by the page's own words."""


def keys(start: str) -> set[str]:
    """What the English catalogue has under this beginning."""
    return {key.removeprefix(start) for key in words.words("en").words if key.startswith(start)}


def test_every_refusal_has_its_sentence() -> None:
    """Each reason of the rules and of the API, and no other."""
    api = "".join(path.read_text(encoding="utf-8") for path in Path(problems.__file__).parent.glob("*.py"))
    of_the_house = set(re.findall(r'Denied\(\s*(?:\d+|UNPROCESSABLE),\s*"([a-z-]+)"', api))
    of_the_house |= set(re.findall(r'described\(\d+, "([a-z-]+)"', api)) | set(problems.HTTP_REASONS.values())
    assert len(of_the_house) > 25
    assert keys("refused.") == {*Reason, *of_the_house, "broken-record", "internal", "detail", "other"}


def test_every_finding_has_its_sentence() -> None:
    """Each kind that the audit can find, and all that it cannot prove; each kind is found somewhere."""
    assert keys("finding.") == {*Kind, "nothing"}
    assert keys("unproved.") == set(Unproved)
    audits = "".join(path.read_text(encoding="utf-8") for path in Path(audit_report.__file__).parent.glob("audit*.py"))
    assert [kind for kind in Kind if f"Kind.{kind.name}" not in audits] == []
    assert [kind for kind in Unproved if f"Unproved.{kind.name}" not in audits] == []
    english = words.words("en").words
    told = {*re.findall(r"\{(\w+)\}", "".join(english[f"finding.{kind}"] for kind in Kind))}
    assert told <= {"field", "recorded", "recomputed", "why"}


def test_every_ruling_has_its_sentence() -> None:
    """The English ones are those of the house; each way to be free has its words."""
    english = words.words("en").words
    assert {number: english[f"ruling.{number}"] for number in keys("ruling.")} == RULINGS
    assert keys("dispute.free-") == set(get_args(Free))


@pytest.mark.parametrize("language", list(words.LANGUAGES))
def test_everything_in_the_box_has_a_name(language: str) -> None:
    """Cards, boards, projects, resources, types and symbols."""
    names, found = words.words(language).names, current()
    assert set(names["card"]) == set(found.cards)
    assert set(names["wonder"]) == set(found.wonders)
    assert set(names["project"]) == set(found.projects)
    assert all(name.strip() for kind in names.values() for name in kind.values())


def test_our_own_names_are_only_those_that_were_found_nowhere() -> None:
    """Dutch names that are in print are taken from there; ours are marked by standing in a file of their own."""
    printed = tomllib.loads((resources.files("events.catalogue") / "names.toml").read_text(encoding="utf-8"))
    for kind, ours in words.ours("nl").items():
        found = {id for id, names in printed[kind].items() if "nl" in names}
        assert not set(ours) & found
        assert set(ours) | found >= set(printed[kind])
    assert words.ours("fr") == {}


# ---- what the modules ask for -------------------------------------------------------------------------------------------
def test_every_key_that_is_said_exists() -> None:
    """A literal key in a module or a template is in the catalogue; a key put together begins like one that is."""
    english = set(words.words("en").words)
    asked = {key for source in SCRIPTS.values() for key in re.findall(r'\bt\(\s*"([^"]+)"', source)}
    choices = [choice for source in SCRIPTS.values() for choice in re.findall(r"\bt\(([^()]*\? *\"[^()]*)\)", source)]
    asked |= {key for choice in choices for key in re.findall(r'"([a-z][^" ]+\.[^" ]+)"', choice)}
    for path in (files.HERE / "templates").glob("*.html"):
        asked |= set(re.findall(r"\bt\('([^']+)'\)", path.read_text(encoding="utf-8")))
    assert len(asked) > 150
    assert sorted(asked - english) == []
    counted = {key for source in SCRIPTS.values() for key in re.findall(r'\btn\(\s*"([^"]+)"', source)}
    assert sorted(key for key in counted if f"{key}.one" not in english or f"{key}.other" not in english) == []
    begun = {start for source in SCRIPTS.values() for start in re.findall(r"\bt\(`([a-z-]+\.)", source)}
    assert sorted(start for start in begun if not any(key.startswith(start) for key in english)) == []


def test_every_icon_is_drawn() -> None:
    """A literal icon is in the sprite, each type, resource and symbol of the box too, and each wonder has its drawing."""
    drawn = set(re.findall(r'<symbol id="([^"]+)"', files.files()["icons.svg"].content.decode()))
    asked = {name for source in SCRIPTS.values() for name in re.findall(r'\bicon\("([^"]+)"', source)}
    things = words.words_of_things()
    asked |= {*things["type"], *things["resource"], *things["symbol"]}
    assert sorted(asked - drawn) == []
    wonders = set(re.findall(r'<symbol id="([^"]+)"', files.files()["wonders.svg"].content.decode()))
    assert wonders == set(current().wonders)
    edges = {path for path in files.files() if path.startswith("edges/")}
    assert edges == {f"edges/{card.type}.svg" for card in current().cards.values()}


def test_no_module_makes_html_of_text() -> None:
    """Nodes are built; nothing is parsed, evaluated, or fetched from elsewhere."""
    for path, source in SCRIPTS.items():
        for forbidden in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "http://",
            "https://",
        ):
            assert forbidden not in source.replace("http://www.w3.org/", ""), f"{path}: {forbidden}"
    for path, source in STYLES.items():
        assert not re.findall(r"@import|https?:|//[a-z]", source), path


def test_every_module_says_what_it_is_for() -> None:
    """Each begins with a sentence and is short."""
    for path, source in SCRIPTS.items():
        first = source.partition("\n")[0]
        assert first.startswith("// "), path
        assert len(first.split()) > 5, path
        assert source.count("\n") <= 300, path


def test_the_box_is_what_the_rules_play_with() -> None:
    """Each card's cost, type and effects, each board's stages, in catalogue order."""
    told = json.loads(box.document(current().digest))
    assert list(told["cards"]) == list(current().cards)
    assert told["cards"]["forum"]["type"] == "commercial"
    assert told["wonders"]["gizah"]["night"]["stages"][3]["cost"] == {"stone": 4, "papyrus": 1}
    assert told["projects"]["outpost"]["penalty"] == {"kind": "discard", "type": "military"}
