"""The image and the compose file, read and tried without Docker: every path and command in them
exists and does what it says."""

from __future__ import annotations

import contextlib
import fnmatch
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml

from client_sdk.bots import HOUSE
from client_sdk.errors import ConnectionLost
from client_sdk.rest import RestClient
from games import GAMES
from server.settings import Settings
from tests.e2e.arena import eventually, free_port
from tests.stores import database

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60


@dataclass
class Stage:
    """One FROM of a Dockerfile and what follows it."""

    base: str
    name: str | None
    lines: list[tuple[str, str]] = field(default_factory=list)

    def all(self, instruction: str) -> list[str]:
        return [rest for word, rest in self.lines if word == instruction]

    def last(self, instruction: str) -> str:
        return self.all(instruction)[-1]

    @property
    def environment(self) -> dict[str, str]:
        return dict(part.split("=", 1) for rest in self.all("ENV") for part in shlex.split(rest))


def stages(text: str) -> list[Stage]:
    """A Dockerfile, read: comments gone, continued lines joined."""
    found: list[Stage] = []
    kept = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    for line in kept.replace("\\\n", " ").splitlines():
        if not line.strip():
            continue
        word, rest = line.strip().split(maxsplit=1)
        if word == "FROM":
            base, _, name = rest.partition(" AS ")
            found.append(Stage(base, name or None))
        else:
            found[-1].lines.append((word, rest))
    return found


STAGES = stages((ROOT / "Dockerfile").read_text(encoding="utf-8"))
IMAGE = STAGES[-1]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
SERVE = json.loads(IMAGE.last("CMD"))
HEALTHCHECK = json.loads(IMAGE.last("HEALTHCHECK").partition("CMD ")[2])
CLUSTER = {
    name: service for name, service in SERVICES.items() if service.get("profiles") == ["cluster"]
}
SECRET = SERVICES["secret"]["command"]
BOTS = {
    name: service["command"]
    for name, service in SERVICES.items()
    if service.get("profiles", [""])[0] in GAMES
}


def ignored(path: str) -> bool:
    """What .dockerignore says: the last line that fits decides."""
    verdict = False
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        pattern = line.removeprefix("!")
        if any(
            fnmatch.fnmatch(part, pattern.removeprefix("**/"))
            for part in (path, path.split("/")[0])
        ):
            verdict = not line.startswith("!")
    return verdict


def test_everything_copied_exists_and_is_in_the_build_context() -> None:
    names = {stage.name for stage in STAGES}
    for stage in STAGES:
        for rest in stage.all("COPY"):
            *sources, _ = [part for part in rest.split() if not part.startswith("--")]
            origin = next(
                (
                    part.removeprefix("--from=")
                    for part in rest.split()
                    if part.startswith("--from=")
                ),
                None,
            )
            if origin is not None:
                assert origin in names
                continue
            for source in sources:
                assert (ROOT / source).exists(), source
                assert not ignored(source), source


def test_the_build_context_has_exactly_the_parts_of_the_wheel() -> None:
    copied = {source for rest in STAGES[0].all("COPY") for source in rest.split()[:-1]} - {
        "deploy/build.lock"
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])

    assert copied == packages | {
        "pyproject.toml",
        project["project"]["readme"],
        *project["project"]["license-files"],
    }
    assert ignored("tests")
    assert ignored("data")
    assert ignored(".git")


def test_the_image_contains_only_locked_packages_and_the_wheel() -> None:
    assert [rest.split()[0] for rest in IMAGE.all("COPY")] == [
        "deploy/requirements.lock",
        "--from=build",
    ]
    for stage, lock in zip(STAGES, ("build", "requirements"), strict=True):
        installs = [
            rest for rest in stage.all("RUN") if "pip install" in rest or "pip wheel" in rest
        ]
        assert [
            f"--require-hashes -r {path}deploy/{lock}.lock" in installs[0] for path in ("", "/")
        ].count(True) == 1
        assert all("--no-deps" in rest for rest in installs[1:])
    assert "--no-build-isolation" in STAGES[0].last("RUN")


def test_every_image_has_an_exact_version() -> None:
    bases = [stage.base for stage in STAGES]
    others = [service["image"] for service in SERVICES.values() if service["image"] != "botarena"]

    assert len(set(bases)) == 1
    for name in (*bases, *others):
        assert re.fullmatch(
            r"[a-z]+:\d+\.\d+(\.\d+)?(-[a-z-]+)?|[a-z]+@sha256:[0-9a-f]{64}", name
        ), name


def test_the_images_python_is_supported() -> None:
    for stage in STAGES:
        version = stage.base.removeprefix("python:").partition("-")[0]
        assert (3, 11) <= tuple(map(int, version.split("."))) < (4,)


def test_the_image_has_bubblewrap_and_an_init() -> None:
    assert re.search(
        r"apt-get install -y --no-install-recommends bubblewrap tini\b", IMAGE.all("RUN")[0]
    )
    assert json.loads(IMAGE.last("ENTRYPOINT")) == ["tini", "--"]


def test_the_server_is_not_root_and_owns_its_data() -> None:
    user = IMAGE.last("USER")
    data = IMAGE.environment["BOTARENA_DATA_DIR"]

    assert user not in ("root", "0")
    made = " ".join(IMAGE.all("RUN")[0].split())
    assert f"useradd --system --uid 10001 --no-create-home {user}" in made
    assert f"chown {user} {data}" in made
    words = [word for word, _ in IMAGE.lines]
    assert words.index("RUN") < words.index("USER") < words.index("CMD")


def test_data_and_port_are_the_same_in_image_and_compose() -> None:
    data, port = IMAGE.environment["BOTARENA_DATA_DIR"], IMAGE.environment["BOTARENA_PORT"]
    server = SERVICES["server"]

    assert IMAGE.last("VOLUME") == data
    assert IMAGE.last("EXPOSE") == port
    assert [volume.split(":")[1] for volume in server["volumes"]] == [data]
    kept = {
        volume.split(":")[0]
        for service in SERVICES.values()
        for volume in service.get("volumes", [])
    }
    assert {name for name in kept if not name.startswith(".")} == set(COMPOSE["volumes"])
    assert [mapping.split(":")[1] for mapping in server["ports"]] == [port]
    assert all(f"http://server:{port}" in command for command in BOTS.values())


def test_every_command_is_one_of_ours() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "scripts"
    ]

    assert {command[0] for command in (SERVE, *BOTS.values())} <= set(scripts)
    assert HEALTHCHECK[0] == "python"


def test_the_bots_wait_until_the_server_is_healthy() -> None:
    for name, service in SERVICES.items():
        assert "image" in service
        if service["image"] != "botarena":
            continue
        assert (ROOT / service["build"] / "Dockerfile").is_file()
        if name in BOTS:
            assert service["depends_on"] == {"server": {"condition": "service_healthy"}}
            assert service["healthcheck"] == {"disable": True}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, dict[str, str], subprocess.Popen[str]]]:
    """The image's command line in its environment, but on a free port of this machine: (address,
    environment, process)."""
    environment = os.environ | IMAGE.environment
    environment |= {
        "BOTARENA_HOST": "127.0.0.1",
        "BOTARENA_PORT": "0",
        "BOTARENA_DATA_DIR": str(tmp_path / "data"),
        "PYTHONPATH": str(ROOT),
    }
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            here(SERVE),
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        try:
            assert process.stdout is not None
            announced = next((line for line in process.stdout if "listening on" in line), None)
            assert announced is not None, (tmp_path / "log").read_text()
            address = announced.split()[-1]
            yield address, environment | {"BOTARENA_PORT": address.rpartition(":")[2]}, process
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


def here(command: list[str]) -> list[str]:
    """A command line of the image, run by the Python of the tests."""
    return (
        [sys.executable, "-m", "client_sdk.cli", *command[1:]]
        if command[0] == "botarena"
        else [sys.executable, *command[1:]]
    )


def bot_names(game: str) -> list[str]:
    """What the bots of a game's profile are called."""
    return [BOTS[name][-1] for name, it in SERVICES.items() if it.get("profiles") == [game]]


def test_every_game_has_a_profile_with_a_house_bot_for_each_seat() -> None:
    chosen = (ROOT / ".env").read_text().partition("COMPOSE_PROFILES=")[2].strip().split(",")

    assert sorted(chosen) == sorted(GAMES)
    assert "profiles" not in SERVICES["server"]
    for name, game in GAMES.items():
        names = bot_names(name)
        assert len(names) == game.seats(game.rules())
        assert set(names) <= set(HOUSE[name])
        assert all(BOTS[f"{name}-{bot}"][3] == bot for bot in names)


@pytest.mark.documents
def test_the_same_command_lines_play_a_match_of_each_game_to_its_end(
    server: tuple[str, dict[str, str], subprocess.Popen[str]], tmp_path: Path
) -> None:
    """In lobbies that wait for them, of short matches."""
    address, environment, process = server
    until_healthy(environment)
    with RestClient(address) as rest:
        made = {
            name: rest.create(name, config=dict(game.short))["lobby"]
            for name, game in GAMES.items()
        }
        bots = [
            subprocess.Popen(
                here(
                    [
                        part.replace(f"http://server:{IMAGE.environment['BOTARENA_PORT']}", address)
                        for part in command
                    ]
                ),
                cwd=tmp_path,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for command in BOTS.values()
        ]
        for bot in bots:
            output, _ = bot.communicate(timeout=PATIENCE_S)
            assert bot.returncode == 0, output
        for name, lobby in made.items():
            played = rest.match(lobby)
            assert played["outcome"]["outcome"] in ("win", "draw", "both_lost")
            assert sorted(seat["name"] for seat in played["players"]) == sorted(bot_names(name))
    process.send_signal(signal.SIGTERM)

    assert process.wait(PATIENCE_S) == 0
    journals = list((tmp_path / "data").rglob("*.journal.jsonl"))
    assert len(journals) == len(GAMES)
    verified = subprocess.run(
        [*here(["botarena", "verify"]), *map(str, journals)], cwd=tmp_path, env=environment
    )
    assert verified.returncode == 0


def until_healthy(environment: dict[str, str]) -> None:
    """As Docker does: the healthcheck again and again, until it succeeds."""
    end = time.monotonic() + PATIENCE_S
    while subprocess.run(here(HEALTHCHECK), env=environment, capture_output=True).returncode:
        assert time.monotonic() < end, "the healthcheck does not succeed"


def test_the_healthcheck_fails_without_a_server() -> None:
    """Port 1 of this machine: nothing listens there."""
    assert (
        subprocess.run(
            here(HEALTHCHECK), env=os.environ | {"BOTARENA_PORT": "1"}, capture_output=True
        ).returncode
        != 0
    )


# --- the profile cluster


def settings_of(name: str, **instead: str) -> dict[str, str]:
    """A service's environment, with the defaults of what compose would put in."""
    given = IMAGE.environment | SERVICES[name].get("environment", {})
    return {
        key: re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value) for key, value in given.items()
    } | instead


def test_the_cluster_has_two_servers_two_workers_one_database_and_one_proxy() -> None:
    servers = [
        name
        for name, service in CLUSTER.items()
        if "BOTARENA_NODE" in service.get("environment", {})
    ]

    assert set(CLUSTER) == {"secret", "postgres", "proxy", "worker", *servers}
    assert len({settings_of(name)["BOTARENA_NODE"] for name in servers}) == len(servers) == 2
    assert SERVICES["worker"]["deploy"]["replicas"] == 2
    databases = {settings_of(name)["BOTARENA_DATABASE_URL"] for name in (*servers, "worker")}
    postgres = settings_of("postgres")
    assert databases == {
        f"postgresql://{postgres['POSTGRES_USER']}@postgres/{postgres['POSTGRES_DB']}"
    }
    peers = dict(peer.split("=") for peer in settings_of(servers[0])["BOTARENA_PEERS"].split(","))
    for name in servers:
        assert (
            peers[settings_of(name)["BOTARENA_NODE"]]
            == f"http://{name}:{IMAGE.environment['BOTARENA_PORT']}"
        )
        assert settings_of(name)["BOTARENA_PEER_SECRET_FILE"] == "/secret/peers"
        assert SERVICES["proxy"]["depends_on"][name] == {"condition": "service_healthy"}
        assert Settings(
            **{
                k.removeprefix("BOTARENA_").lower(): v
                for k, v in settings_of(name).items()
                if "BOTARENA" in k
            }
        )
    for name in (*servers, "worker"):
        assert SERVICES[name]["depends_on"] == {"postgres": {"condition": "service_healthy"}}


def test_every_container_has_limits_and_minimal_rights() -> None:
    for name, service in SERVICES.items():
        assert service["cap_drop"] == ["ALL"], name
        assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else []), name
        opened = ["seccomp=unconfined", "systempaths=unconfined"] if name == "workers" else []
        assert service["security_opt"] == ["no-new-privileges:true", *opened], name
        assert service["read_only"] is True, name
        assert any(mount.startswith("/tmp") for mount in service["tmpfs"]), name
        assert {"cpus", "mem_limit", "pids_limit"} <= service.keys(), name


def test_only_servers_and_the_proxy_are_reachable_from_outside() -> None:
    assert {
        name
        for name, service in SERVICES.items()
        if "ports" in service or service.get("network_mode")
    } == {
        "server",
        "proxy",
    }


def test_the_first_start_generates_the_databases_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    assert not re.search(r"PASSWORD(?!_FILE)|://[^/\s]*:[^/\s]*@", text)
    run = [part.replace("$$", "$").replace("cd /secret", f"cd {tmp_path}") for part in SECRET]
    (tmp_path / "python").symlink_to(sys.executable)  # the image has it on its path
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    for _ in range(2):
        subprocess.run(run, check=True, cwd=tmp_path)
        kept = [(tmp_path / name).read_bytes() for name in ("password", "pgpass")]
    password = kept[0].decode().strip()

    assert len(password) > 40
    assert len((tmp_path / "peers").read_text()) > 40
    assert (tmp_path / "peers").stat().st_mode & 0o777 == 0o600
    subprocess.run(run, check=True, cwd=tmp_path)
    assert kept == [(tmp_path / name).read_bytes() for name in ("password", "pgpass")]
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("password", "pgpass")] == [
        0o444,
        0o600,
    ]
    assert settings_of("postgres")["POSTGRES_PASSWORD_FILE"] == "/secret/password"
    assert SERVICES["postgres"]["depends_on"] == {
        "secret": {"condition": "service_completed_successfully"}
    }
    for name in ("server1", "server2", "worker"):
        assert settings_of(name)["PGPASSFILE"] == "/secret/pgpass"
        assert "secret:/secret:ro" in SERVICES[name]["volumes"]
    with (
        database("postgresql", tmp_path) as url,
        psycopg.connect(url, passfile=str(tmp_path / "pgpass")) as connection,
    ):
        assert connection.info.password == password


def test_the_proxy_routes_each_servers_own_path_to_it_and_all_else_to_either() -> None:
    mounted, inside, _ = SERVICES["proxy"]["volumes"][0].split(":")
    text = (ROOT / mounted).read_text(encoding="utf-8")
    kept = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    port = IMAGE.environment["BOTARENA_PORT"]
    servers = [name for name in CLUSTER if name.startswith("server")]

    assert inside == "/etc/caddy/Caddyfile"
    assert kept.count("{") == kept.count("}")
    for name in servers:
        path = Settings(
            node=settings_of(name)["BOTARENA_NODE"],
            public_url=settings_of(name)["BOTARENA_PUBLIC_URL"],
        ).own_url
        assert path is not None
        own = path.rpartition("/")[2]
        assert re.search(rf"handle_path /{own}/\* \{{\s+reverse_proxy {name}:{port}\s", kept)
    assert f"reverse_proxy {' '.join(f'{name}:{port}' for name in servers)} {{" in kept
    assert f"{SERVICES['proxy']['ports'][0].split(':')[0]} {{" in kept


@pytest.mark.documents
def test_the_command_lines_of_the_cluster_form_one_server(tmp_path: Path) -> None:
    with database("postgresql", tmp_path) as url, contextlib.ExitStack() as stack:
        ports = {name: free_port() for name in ("server1", "server2")}
        peers = ",".join(
            f"{name.removeprefix('server')}=http://127.0.0.1:{port}" for name, port in ports.items()
        )
        (tmp_path / "peers").write_text("secret")
        together = {"PEERS": peers, "PEER_SECRET_FILE": str(tmp_path / "peers")}
        for name, port in ports.items():
            there = {
                "HOST": "127.0.0.1",
                "PORT": str(port),
                "DATA_DIR": str(tmp_path / name),
            } | together
            instead = {f"BOTARENA_{word}": value for word, value in there.items()}
            running(
                stack,
                SERVE,
                settings_of(name, BOTARENA_DATABASE_URL=url, **instead),
                tmp_path / f"{name}.log",
            )
        running(
            stack,
            SERVICES["worker"]["command"],
            settings_of("worker", BOTARENA_DATABASE_URL=url),
            tmp_path / "worker.log",
        )
        one, two = (
            stack.enter_context(RestClient(f"http://127.0.0.1:{port}")) for port in ports.values()
        )
        eventually(lambda: answers(one) and answers(two))
        made = one.create("pyrat")
        assert made["watch_url"] == "ws://127.0.0.1:8080/n1/ws/watch"
        assert eventually(two.lobbies)[0]["watch_url"] == made["watch_url"]
        played = one.create(
            "pyrat", bots=["random", "random"], config={"preset": "tiny", "max_turns": 4}
        )["lobby"]
        eventually(lambda: two.lobby(played)["state"] == "over")
        assert two.match(played)["outcome"] == one.match(played)["outcome"]
        assert two.journal(played) == one.journal(played)
        eventually(lambda: "waiting for games" in (tmp_path / "worker.log").read_text())


def running(
    stack: contextlib.ExitStack, command: list[str], environment: dict[str, str], log: Path
) -> None:
    """A command line of the compose file; at the end of the test it is terminated and ends by
    itself."""
    with log.open("w") as out:
        process = subprocess.Popen(
            here(command),
            env=os.environ | environment | {"PYTHONPATH": str(ROOT)},
            stdout=out,
            stderr=out,
            cwd=log.parent,
        )

    def end() -> None:
        process.terminate()
        try:
            assert process.wait(PATIENCE_S) == 0, log.read_text()
        finally:
            process.kill()

    stack.callback(end)


def answers(rest: RestClient) -> bool:
    try:
        return bool(rest.health())
    except ConnectionLost:
        return False
