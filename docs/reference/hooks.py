"""What mkdocs builds the reference from: the documents at their places in the repository, so that
their relative links work in both, and the pages that are generated."""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from docs.reference import rest, websocket

ROOT = Path(__file__).parents[2]
DOCUMENTS = (
    "*.md",
    "LICENSE",
    "docs/**/*.md",
    "docs/*.svg",
    "docs/reference/style.css",
    "*/README.md",
    "sdk/*/README.md",
    "examples/learn/bot.py",
    "examples/typescript/bot.ts",
    "client_sdk/PROTOCOL.md",
    "client_sdk/api/botstack_header/header.h",
    "client_sdk/api/catastrophe_contest.py",
    "client_sdk/api/pyrat_course.py",
    "client_sdk/api/cookoff/robot_controller.py",
    "games/*/RULES.md",
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The theme's files and ours, instead of those in the folder of the configuration."""
    for file in [*files]:
        if file.src_dir == config.docs_dir:
            files.remove(file)
    for path in sorted(path for pattern in DOCUMENTS for path in ROOT.glob(pattern)):
        name = path.relative_to(ROOT).as_posix()
        files.append(File(name, str(ROOT), config.site_dir, config.use_directory_urls))
    document = rest.openapi()
    generated = {
        "rest": rest.operations(document),
        "objects": rest.objects(document["components"]["schemas"]),
        "websocket": websocket.messages(),
    }
    for name, text in generated.items():
        files.append(File.generated(config, f"docs/reference/{name}.md", content=text))
    return files
