"""The manifest for Kubernetes: it fits the schemas of Kubernetes, and what it names is there."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import yaml

from server.app import arena
from server.settings import Settings

ROOT = Path(__file__).parents[2]
MANIFEST: list[dict[str, Any]] = [
    *yaml.safe_load_all((ROOT / "deploy" / "kubernetes.yaml").read_text(encoding="utf-8"))
]
PARTS = {(part["kind"], part["metadata"]["name"]): part["spec"] for part in MANIFEST}


@pytest.mark.parametrize("part", MANIFEST, ids=lambda part: part["kind"])
@pytest.mark.parametrize("version", ["1.33", "1.37"])
def test_the_manifest_fits_the_schemas_of_kubernetes(part: dict[str, Any], version: str):
    validator = pytest.importorskip("kubernetes_validate")
    validator.validate(part, version, strict=True)

    with pytest.raises(validator.ValidationError):
        validator.validate(part | {"spec": part["spec"] | {"replica": 2}}, version, strict=True)


def test_the_manifest_names_settings_commands_and_parts_that_exist():
    for kind, name in PARTS:
        if kind != "Deployment":
            continue
        pod = PARTS[kind, name]["template"]
        assert PARTS[kind, name]["selector"]["matchLabels"] == pod["metadata"]["labels"]
        (container,) = pod["spec"]["containers"]
        for variable in container["env"]:
            assert variable["name"].removeprefix("BOTARENA_").lower() in Settings.model_fields
        volumes = {volume["name"] for volume in pod["spec"]["volumes"]}
        assert {mount["name"] for mount in container["volumeMounts"]} == volumes
    server = PARTS["Deployment", "botarena"]["template"]["metadata"]["labels"]
    assert PARTS["Service", "botarena"]["selector"] == server
    worker = PARTS["Deployment", "botarena-workers"]["template"]["spec"]["containers"][0]
    assert worker["command"][2:4] == ["botarena", "worker"]


def test_the_autoscaler_scales_the_workers_on_a_metric_that_the_server_has(tmp_path: Path):
    scaler = PARTS["HorizontalPodAutoscaler", "botarena-workers"]
    target = scaler["scaleTargetRef"]
    (metric,) = scaler["metrics"]

    async def metrics() -> str:
        """Of a server that has not started."""
        return arena.create_app(Settings(data_dir=tmp_path)).process.metrics.text().decode()

    assert (target["kind"], target["name"]) in PARTS
    name = metric["external"]["metric"]["name"]
    assert f"# TYPE {name} gauge" in asyncio.run(metrics())
