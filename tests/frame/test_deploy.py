"""The files that open the house on many machines say the same as the house itself."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from services.cli.openings import settings_of
from tests.frame.repository import ROOT
from workers.settings import VARIABLES, Settings

DEPLOY = ROOT / "deploy"
PARTS = {"api": "api", "worker": "work", "ticker": "tick", "projector": "project"}  # part -> its command
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
UNITS = sorted((DEPLOY / "systemd").iterdir())


def documents() -> list[dict[str, Any]]:
    """Every Kubernetes resource that the kustomization names."""
    kustomization = yaml.safe_load((DEPLOY / "kustomization.yaml").read_text())
    return [document for file in kustomization["resources"] for document in yaml.safe_load_all((DEPLOY / file).read_text())]


def resource(kind: str, name: str) -> dict[str, Any]:
    """The one resource of that kind and name."""
    [found] = [each for each in documents() if (each["kind"], each["metadata"]["name"]) == (kind, name)]
    return found


def container(kind: str, name: str) -> dict[str, Any]:
    """Its one container."""
    [found] = resource(kind, name)["spec"]["template"]["spec"]["containers"]
    return found  # type: ignore[no-any-return]


def settings(monkeypatch: pytest.MonkeyPatch, arguments: list[str], environment: dict[str, str]) -> Settings:
    """What a part is told by its arguments (the command, then options with one value each), its environment, and the image's."""
    for variable in (*VARIABLES.values(), "REDIS_URL"):
        monkeypatch.delenv(variable, raising=False)
    for variable, value in {**image(), **environment}.items():
        monkeypatch.setenv(variable, value)
    options = dict(zip(arguments[1::2], arguments[2::2], strict=True))
    return settings_of(Path(options["--data"]) if "--data" in options else None, options.get("--store"))


def image() -> dict[str, str]:
    """The environment that the Dockerfile gives."""
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    return dict(pair.split("=", 1) for line in lines if line.startswith("ENV ") for pair in line.split()[1:] if "PATH" not in pair)


def directives(unit: Path, key: str) -> list[str]:
    """All values of a key in a systemd unit."""
    return [line.partition("=")[2] for line in unit.read_text().splitlines() if line.partition("=")[0] == key]


def test_compose_passes_its_schema(tmp_path: Path) -> None:
    """The offline copy of the Compose specification accepts the file, and would refuse a misspelt key."""

    def checked(file: Path) -> subprocess.CompletedProcess[str]:
        checker = Path(sys.executable).with_name("check-jsonschema")
        command = [checker, "--builtin-schema", "vendor.compose-spec", file]
        return subprocess.run(command, capture_output=True, text=True)

    done = checked(DEPLOY / "compose.yaml")
    assert done.returncode == 0, done.stdout
    (tmp_path / "compose.yaml").write_text((DEPLOY / "compose.yaml").read_text().replace("healthcheck:", "healthchekc:"))
    assert checked(tmp_path / "compose.yaml").returncode == 1


def test_compose_runs_every_part() -> None:
    """Each part with its command, the store's and the queue's address, a health check and a new start when it ends."""
    assert set(COMPOSE["services"]) == {*PARTS, "store", "queue"}
    for part, command in PARTS.items():
        service = COMPOSE["services"][part]
        assert service["command"][0] == command
        assert service["environment"]["WONDERLOG_STORE_URL"] == "${WONDERLOG_STORE_URL:-redis://store:6379/0}"
        assert service["environment"]["WONDERLOG_QUEUE_URL"] == "${WONDERLOG_QUEUE_URL:-redis://queue:6379/0}"
    for service in COMPOSE["services"].values():
        assert service["healthcheck"]["test"]
        assert service["restart"] == "unless-stopped"


def test_compose_mounts_what_is_there() -> None:
    """Each mounted folder exists, the store reads a file in it, and each named volume is declared."""
    for service in COMPOSE["services"].values():
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in COMPOSE["volumes"]
    assert "/etc/valkey/valkey.conf" in COMPOSE["services"]["store"]["command"]
    assert (DEPLOY / "store" / "valkey.conf").is_file()


def test_the_stores_configuration_loses_no_move() -> None:
    """Append-only file, fsync at each write, no eviction: what the house asks of a store when it starts."""
    lines = (DEPLOY / "store" / "valkey.conf").read_text().splitlines()
    settings = dict(line.split(None, 1) for line in lines if line.strip() and not line.startswith("#"))
    assert settings["appendonly"] == "yes"
    assert settings["appendfsync"] == "always"
    assert settings["maxmemory-policy"] == "noeviction"


def test_the_image_copies_what_is_there() -> None:
    """Each file that the Dockerfile copies is in the repository and not ignored."""
    kept = {line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = [
        source
        for line in (DEPLOY / "Dockerfile").read_text().splitlines()
        if line.startswith("COPY ") and "--from" not in line
        for source in line.split()[1:-1]
    ]
    assert set(copied) == kept
    assert [source for source in copied if not (ROOT / source).exists()] == []


def test_kubernetes_runs_every_part() -> None:
    """The same images, commands and addresses as in compose; every resource lies in the kustomization."""
    for part, command in PARTS.items():
        here, there = container("Deployment", f"wonderlog-{part}"), COMPOSE["services"][part]
        assert here["args"][0] == command
        assert here["image"] == there["image"]
        assert here["envFrom"] == [{"configMapRef": {"name": "wonderlog-settings"}}]
    for kind, server in (("StatefulSet", "store"), ("Deployment", "queue")):
        here, there = container(kind, f"wonderlog-{server}"), COMPOSE["services"][server]
        assert (here["image"], here["command"]) == (there["image"], there["command"])
    assert set(resource("ConfigMap", "wonderlog-settings")["data"]) == set(COMPOSE["services"]["api"]["environment"])
    named = {(DEPLOY / file).name for file in yaml.safe_load((DEPLOY / "kustomization.yaml").read_text())["resources"]}
    assert named == {path.name for path in (DEPLOY / "kubernetes").iterdir()}


def test_kubernetes_selectors_find_their_pods() -> None:
    """Each set of pods and each service selects by a label that the pods bear, and each address is a service's name."""
    pods = {each["metadata"]["name"]: each["spec"] for each in documents() if each["kind"] in ("Deployment", "StatefulSet")}
    for spec in pods.values():
        assert spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"]
    services = {each["metadata"]["name"]: each["spec"] for each in documents() if each["kind"] == "Service"}
    for name, service in services.items():
        assert service["selector"] == pods[name]["template"]["metadata"]["labels"]
    for address in resource("ConfigMap", "wonderlog-settings")["data"].values():
        assert address.removeprefix("redis://").partition(":")[0] in services


def test_systemd_runs_every_part() -> None:
    """One unit for each part, and the target wants them all."""
    services = {unit.name: unit for unit in UNITS if unit.suffix == ".service"}
    assert {directives(unit, "ExecStart")[0].split()[1] for unit in services.values()} == set(PARTS.values())
    [wanted] = directives(DEPLOY / "systemd/wonderlog.target", "Wants")
    assert {re.sub(r"@\d", "@", name) for name in wanted.split()} == set(services)


def test_every_part_opens_the_named_store_and_the_kept_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """In compose, Kubernetes and systemd all parts meet at one store and one queue, and the API keeps its keys where they stay."""
    addresses = ("redis://store:6379/0", "redis://queue:6379/0")
    kept = Path("/var/lib/wonderlog")
    for part in PARTS:
        service, pod = COMPOSE["services"][part], container("Deployment", f"wonderlog-{part}")
        defaults = {name: value.partition(":-")[2].removesuffix("}") for name, value in service["environment"].items()}
        told = settings(monkeypatch, service["command"], defaults)
        assert (told.store_url, told.queue_url, told.data) == (*addresses, kept)
        told = settings(monkeypatch, pod["args"], resource("ConfigMap", "wonderlog-settings")["data"])
        assert (told.store_url, told.queue_url, told.data) == (*(url.replace("//", "//wonderlog-") for url in addresses), kept)
    for unit in (unit for unit in UNITS if unit.suffix == ".service"):
        [started] = directives(unit, "ExecStart")
        given = dict(setting.split("=", 1) for setting in directives(unit, "Environment"))
        told = settings(monkeypatch, started.split()[1:], {"WONDERLOG_STORE_URL": addresses[0], **given})
        assert (told.store_url, told.data) == (addresses[0], kept)
        assert directives(unit, "StateDirectory") == [kept.name]
    assert f"house:{kept}" in COMPOSE["services"]["api"]["volumes"]
    mounts = container("Deployment", "wonderlog-api")["volumeMounts"]
    assert {"name": "house", "mountPath": str(kept)} in mounts


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not on this machine")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    """systemd-analyze finds nothing to say about them, once the program is where they look for it."""
    for unit in UNITS:
        text = unit.read_text().replace("/opt/wonderlog/.venv/bin/wonderlog", sys.executable)
        (tmp_path / unit.name.replace("@.", "@1.")).write_text(text)
        if "@." in unit.name:
            (tmp_path / unit.name).write_text(text)
            (tmp_path / unit.name.replace("@.", "@2.")).write_text(text)
    done = subprocess.run(["systemd-analyze", "verify", *tmp_path.iterdir()], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
