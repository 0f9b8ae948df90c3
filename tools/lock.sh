#!/usr/bin/env bash
# Resolve requirements.lock from pyproject.toml for all supported systems: hashes, and no addresses.
set -euo pipefail
if ! command -v uv >/dev/null 2>&1; then
    echo "Error: uv is needed to resolve the lock for all systems at once." >&2
    echo "Fix: install uv, for example with: python3 -m pip install --user uv" >&2
    exit 1
fi
uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
    --no-header --no-annotate --no-emit-index-url --no-emit-find-links --quiet -o requirements.lock
