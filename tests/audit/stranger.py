"""A stranger's verifier: the standard library and one library for Ed25519, and not a line of Wonderlog's own code.

Written from docs/audit.md alone.  `python stranger.py BUNDLE` prints what does not fit; exit 0 if all does, 1 if not, 2 for what
is no bundle.  It checks: the zip, the links, the manifest, every opening against its seal and the key, every draw of the deal, the
signatures of seats and host, and the final scores summed from the recorded lines and from the recorded consequences.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import struct
import sys
import zipfile
import zlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MEMBERS = ["manifest.json", "events.jsonl", "links.txt", "openings.jsonl", "heads.jsonl", "catalogue.json"]
HEADED = {"AgeDealt", "ExtraAsked", "HandsPassed", "AgeEnded", "EdificeEvaluated", "GameClosed"}
MOVES = {"ActionChosen", "ActionWithdrawn", "ExtraChosen", "ExtraWithdrawn"}


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def signed(key: str, message: bytes, signature: str | None) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature or ""), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def packed(members: dict[str, bytes]) -> bytes:
    """The zip as docs/audit.md spells it out."""
    body, directory = b"", b""
    for name, content in members.items():
        raw = name.encode()
        middle = struct.pack("<5H3I2H", 20, 0, 0, 0, 33, zlib.crc32(content), len(content), len(content), len(raw), 0)
        about = struct.pack("<3H2I", 0, 0, 0, 0o100644 << 16, len(body))
        directory += b"PK\x01\x02" + struct.pack("<H", 0x0314) + middle + about + raw
        body += b"PK\x03\x04" + middle + raw + content
    count = len(members)
    return body + directory + b"PK\x05\x06" + struct.pack("<4H2IH", 0, 0, count, count, len(directory), len(body), 0)


class Stranger:
    """Reads one bundle; `faults` are what does not fit."""

    def __init__(self, raw: bytes) -> None:
        self.faults: list[str] = []
        self.counted = {"links": 0, "seals": 0, "draws": 0, "signatures": 0, "heads": 0, "scores": 0}
        with zipfile.ZipFile(io.BytesIO(raw)) as box:
            self.files = {name: box.read(name) for name in MEMBERS}
            self.check(box.namelist() == MEMBERS, "the members of the zip")
        self.check(packed(self.files) == raw, "the packing of the zip")
        self.manifest = json.loads(self.files["manifest.json"])
        self.lines = self.split("events.jsonl")
        self.events = [json.loads(line) for line in self.lines]
        self.game = self.events[0]["game"]
        self.openings = [json.loads(line) for line in self.split("openings.jsonl")]
        self.heads = [json.loads(line) for line in self.split("heads.jsonl")]
        closed = self.events[-1]["type"] == "GameClosed"
        self.key = bytes.fromhex(self.events[-1]["key"]) if closed else None
        self.known = {(one["version"], one["path"]): one["bytes"] for one in self.openings}
        for event in self.events:
            self.known |= {(one["version"], one["path"]): one["bytes"] for one in event.get("openings", ())}

    def split(self, name: str) -> list[bytes]:
        content = self.files[name]
        self.check(not content or content.endswith(b"\n"), f"the end of {name}")
        return content.split(b"\n")[:-1]

    def check(self, fits: bool, what: str) -> None:
        if not fits:
            self.faults.append(what)

    def read(self) -> list[str]:
        """All faults."""
        self.links()
        self.catalogue()
        self.seals()
        self.signatures()
        self.host()
        self.scores()
        if self.key is not None:
            self.check(hashlib.sha256(self.key).hexdigest() == self.events[0]["key"], "the commitment to the key")
            if any(event["type"] == "GameStarted" for event in self.events):
                self.deal()
        return self.faults

    # -- bytes --------------------------------------------------------------------------------------------------
    def links(self) -> None:
        link = hashlib.sha256(b"wonderlog/1" + self.game.encode()).digest()
        self.chain = [link]
        for line in self.lines:
            link = hashlib.sha256(link + line).digest()
            self.chain.append(link)
        written = self.split("links.txt")
        self.counted["links"] = len(written)
        self.check([one.hex().encode() for one in self.chain[1:]] == written, "a link")
        for name, value in (("game", self.game), ("versions", len(self.lines)), ("link", link.hex())):
            self.check(self.manifest[name] == value, f"the manifest's {name}")
        times = [event["at"] for event in self.events]
        self.check(times == sorted(times), "the order of times")

    def catalogue(self) -> None:
        digest = hashlib.sha256(self.files["catalogue.json"]).hexdigest()
        self.check(digest == self.manifest["catalogue"] == self.events[0]["catalogue"], "the edition of the box")
        box = json.loads(self.files["catalogue.json"])
        self.cards, self.projects = box["base"]["card"], box["edifice"]["project"]

    # -- seals --------------------------------------------------------------------------------------------------
    def seal(self, version: int, path: str) -> str | None:
        name, _, place = path.partition("/")
        value = self.events[version - 1].get(name) if 0 < version <= len(self.events) else None
        if place:
            value = value[int(place)] if isinstance(value, list) and int(place) < len(value) else None
        return value.get("seal") if isinstance(value, dict) else None

    def seals(self) -> None:
        turned_over = [one for event in self.events for one in event.get("openings", ())]
        for one in self.openings + turned_over:
            version, path = one["version"], one["path"]
            message = f"{self.game}\n{version}\n{path}\n{one['bytes']}".encode()
            self.counted["seals"] += 1
            right = mac(bytes.fromhex(one["nonce"]), message).hex()
            self.check(right == self.seal(version, path), f"the seal {path} of event {version}")
            if self.key is not None and path != "name":
                nonce = mac(self.key, f"nonce\n{version}\n{path}".encode()).hex()
                self.check(nonce == one["nonce"], f"the nonce {path} of event {version}")

    # -- the deal -----------------------------------------------------------------------------------------------
    def shuffled(self, label: str, items: list[tuple[str, int]]) -> list[str]:
        self.counted["draws"] += 1
        keyed = sorted((mac(self.seed, f"{label}\n{item}\n{copy}".encode()), item) for item, copy in items)
        return [item for _, item in keyed]

    def deal(self) -> None:
        assert self.key is not None
        seats, commitments, entropies = {}, {}, {}
        for event in self.events:
            match event["type"]:
                case "SeatTaken":
                    seats[event["seat"]] = event
                    commitments[event["seat"]] = event["entropy"]
                case "SeatLeft":
                    seats.pop(event["seat"])
                    entropies.clear()
                case "EntropyCommitted":
                    commitments[event["seat"]] = event["entropy"]
                case "EntropyRevealed":
                    seat, entropy = event["seat"], bytes.fromhex(event["entropy"])
                    entropies[seat] = entropy
                    if seats[seat]["bot"]:
                        self.check(entropy == mac(self.key, f"entropy\n{seat}".encode()), f"the entropy of bot {seat}")
                    else:
                        self.check(hashlib.sha256(entropy).hexdigest() == commitments[seat], f"the entropy of seat {seat}")
        self.seed = mac(self.key, b"seed\n" + b"".join(entropies[seat] for seat in sorted(entropies)))
        self.boards(seats)
        self.ages()

    def boards(self, seats: dict[int, dict]) -> None:  # type: ignore[type-arg]
        options = self.events[0]["options"]
        started = next(event for event in self.events if event["type"] == "GameStarted")
        wishes = [(seats[seat]["wonder"], seats[seat]["side"]) for seat in sorted(seats)]
        if options["players"] == 2:
            wishes.append(tuple(options["free_city"] or (None, None)))
        taken = {wonder for wonder, _ in wishes if wonder}
        rest = iter(self.shuffled("boards", [(wonder, 0) for wonder in options["wonders"] if wonder not in taken]))
        dealt = []
        for place, (wonder, side) in enumerate(wishes):
            drawn = self.shuffled(f"sides/{place}", [("day", 0), ("night", 0)])[0]
            fixed = side or (options["sides"] if options["sides"] != "dealt" else drawn)
            dealt.append({"wonder": wonder or next(rest), "side": fixed})
        self.check(dealt == started["boards"], "the boards")
        if options["edifice"]:
            by_age = [[(one["id"], 0) for one in self.projects if one["age"] == age] for age in (1, 2, 3)]
            drawn = [self.shuffled(f"projects/{age}", items)[0] for age, items in enumerate(by_age, 1)]
            self.check(drawn == started["projects"], "the projects")

    def ages(self) -> None:
        players = self.events[0]["options"]["players"]
        order = {card["id"]: place for place, card in enumerate(self.cards)}
        for version, event in enumerate(self.events, 1):
            if event["type"] != "AgeDealt":
                continue
            age, counted = event["age"], max(players, 3)
            deck = [
                (card["id"], copy)
                for card in self.cards
                if card["age"] == age and card["type"] != "guild"
                for copy, marker in enumerate(card["copies"])
                if marker <= counted
            ]
            if age == 3:
                guilds = self.shuffled("guilds", [(card["id"], 0) for card in self.cards if card["type"] == "guild"])
                deck += [(guild, 0) for guild in guilds[: counted + 2]]
            cards = self.shuffled(f"age/{age}", deck)
            for seat in range(players):
                hand = sorted(cards[7 * seat : 7 * seat + 7], key=order.__getitem__)
                self.dealt(version, f"hands/{seat}", hand)
            if players == 2:
                self.dealt(version, "pile", cards[14:])

    def dealt(self, version: int, path: str, cards: list[str]) -> None:
        """A seal must fit what the key deals, whether or not the bundle opens it."""
        value = json.dumps(cards, separators=(",", ":"))
        nonce = mac(self.key or b"", f"nonce\n{version}\n{path}".encode())
        right = mac(nonce, f"{self.game}\n{version}\n{path}\n{value}".encode()).hex()
        self.check(right == self.seal(version, path), f"the deal of {path} at event {version}")

    # -- signatures ---------------------------------------------------------------------------------------------
    def signatures(self) -> None:
        keys: dict[int, str | None] = {}
        for version, event in enumerate(self.events, 1):
            if event["type"] == "SeatTaken":
                keys[event["seat"]] = event["public_key"]
            key = keys.get(event.get("seat", -1))
            if event["type"] not in MOVES:
                continue
            if event["seen"] is not None:
                self.check(self.chain[event["seen"]["version"]].hex() == event["seen"]["link"], f"what was seen at event {version}")
            if key is not None and event["by"] != "game":
                self.move(version, event, key)

    def move(self, version: int, event: dict, key: str) -> None:  # type: ignore[type-arg]
        seen = event["seen"]
        names = ("seat", "city", "age", "turn")
        lines = [self.game, *(str(event[name]) for name in names), event.get("question", ""), str(event["number"])]
        lines += [str(seen["version"]), seen["link"]]
        if event["type"].endswith("Withdrawn"):
            self.signature(key, ["wonderlog/1 withdraw", *lines], event["signature"], version)
            return
        for part in ("act", "card"):
            text = self.known.get((version, part))
            if text is not None:
                value = json.loads(text)
                signature = value.pop("signature")
                bare = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
                self.signature(key, [f"wonderlog/1 {part}", *lines, bare], signature, version)

    def signature(self, key: str, lines: list[str], signature: str | None, version: int) -> None:
        self.counted["signatures"] += 1
        self.check(signed(key, "\n".join(lines).encode(), signature), f"the signature of event {version}")

    def host(self) -> None:
        key = self.manifest["host_key"]
        due = [version for version, event in enumerate(self.events, 1) if event["type"] in HEADED]
        if key is None:
            self.check(not self.heads, "heads without a key")
            return
        self.check([head["version"] for head in self.heads] == due, "which heads are signed")
        for head in self.heads:
            version = head["version"]
            self.counted["heads"] += 1
            self.check(version < len(self.chain) and head["link"] == self.chain[version].hex(), f"the head {version}")
            message = f"wonderlog/1 head\n{self.game}\n{version}\n{head['link']}".encode()
            self.check(signed(key, message, head["signature"]), f"the signature of head {version}")

    # -- scores -------------------------------------------------------------------------------------------------
    def scores(self) -> None:
        """Points summed from their lines; coins, tokens and debts summed from the consequences of the whole game."""
        scored = next((event for event in self.events if event["type"] == "GameScored"), None)
        if scored is None:
            return
        coins, tokens, debts = self.summed(len(scored["sheets"]))
        totals = {}
        for sheet in scored["sheets"]:
            city = sheet["city"]
            points = {row: sum(line["points"] for line in lines) for row, lines in sheet["rows"].items()}
            self.counted["scores"] += 1
            self.check(points == sheet["points"] and sum(points.values()) == sheet["total"], f"the sum of city {city}")
            self.check(sheet["coins"] == coins[city] and points["treasury"] == coins[city] // 3, f"the coins of city {city}")
            self.check(points["military"] == sum(tokens[city]), f"the tokens of city {city}")
            owed = sum(line["points"] for line in sheet["rows"]["edifice"] if line["source"] == "debt")
            self.check(owed == debts[city], f"the debts of city {city}")
            totals[city] = (sheet["total"], sheet["coins"])
        if self.events[0]["options"]["players"] == 2:
            totals.pop(2)
        ranked: dict[tuple[int, int], list[int]] = {}
        for city, total in totals.items():
            ranked.setdefault(total, []).append(city)
        self.check([ranked[total] for total in sorted(ranked, reverse=True)] == scored["places"], "the places")

    def summed(self, cities: int) -> tuple[list[int], list[list[int]], list[int]]:
        coins, debts = [0] * cities, [0] * cities
        tokens: list[list[int]] = [[] for _ in range(cities)]
        for event in self.events:
            match event["type"]:
                case "GameStarted":
                    coins = [event["coins"]] * cities
                case "CoinsPaid":
                    coins[event["city"]] -= event["amount"]
                    if event["to"] is not None:
                        coins[event["to"]] += event["amount"]
                case "CoinsReceived":
                    coins[event["city"]] += event["amount"]
                case "ConflictsResolved":
                    for one in event["cities"]:
                        tokens[one["city"]] += [side["token"] for side in (one["left"], one["right"]) if side["token"]]
                case "RewardGranted":
                    if event["dropped"]:
                        tokens[event["city"]] = [token for token in tokens[event["city"]] if token > 0]
                    tokens[event["city"]] += event["tokens"]
                case "PenaltySuffered":
                    coins[event["city"]] -= event["coins"]
                    debts[event["city"]] += event["debt"]
                    for token in event["tokens"]:
                        tokens[event["city"]].remove(token)
        return coins, tokens, debts


def main(path: str) -> int:
    """The exit status."""
    try:
        with open(path, "rb") as file:
            stranger = Stranger(file.read())
        faults = stranger.read()
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, IndexError, TypeError, AssertionError) as error:
        print(f"this is no bundle: {error!r}", file=sys.stderr)
        return 2
    for fault in faults:
        print(f"does not fit: {fault}")
    print(json.dumps(stranger.counted))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
