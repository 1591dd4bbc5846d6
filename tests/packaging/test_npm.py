"""The package of the TypeScript SDK, installed outside the clone."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.sdk import typescript

PATIENCE_S = 240
USES = """
import { Conversation, EXIT, run } from "botarena";
import { play } from "botarena/browser";
console.log(JSON.stringify([EXIT.lost, typeof run, typeof play, new Conversation({}).turn]));
"""
TYPED = """
import { run, type Bot, type BotstackCommand, type BotstackView } from "botarena";

class Typed implements Bot<BotstackView, BotstackCommand> {
  decide(view: BotstackView): BotstackCommand[] {
    return [view.phase === "item" ? { type: "item", slot: 0 } : { type: "resign" }];
  }
}
await run(new Typed());
"""


@pytest.mark.documents
def test_the_packed_package_works_outside_the_clone(tmp_path: Path) -> None:
    node, npm = typescript.node(), shutil.which("npm")
    assert npm is not None

    def output(*command: str, folder: Path = tmp_path) -> str:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    output(
        npm,
        *("pack", "--workspace", "botarena", "--pack-destination", str(tmp_path)),
        folder=typescript.ROOT,
    )
    (package,) = tmp_path.glob("botarena-*.tgz")
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (tmp_path / "uses.js").write_text(USES, encoding="utf-8")
    (tmp_path / "typed.ts").write_text(TYPED, encoding="utf-8")
    output(npm, "install", "--offline", "--no-audit", "--no-fund", package.name)
    files = {path.name for path in (tmp_path / "node_modules" / "botarena").iterdir()}

    assert files == {"README.md", "dist", "package.json"}
    assert json.loads(output(node, "uses.js")) == [4, "function", "function", None]
    options = ["--noEmit", "--strict", "--target", "ES2022", "--module", "NodeNext"]
    output(node, str(typescript.COMPILER), *options, "typed.ts")
