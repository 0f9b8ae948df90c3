#!/usr/bin/env bash
# Make .venv hold exactly requirements.lock and this project. Argument: the interpreter's path in .venv.
set -euo pipefail
py="$1"

is_new_enough() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    local name
    for name in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python; do
        if is_new_enough "$name"; then
            echo "$name"
            return
        fi
    done
    echo "Error: no Python 3.11 or newer with venv was found." >&2
    echo "Fix: install one, or name it: make PYTHON=/path/to/python3" >&2
    return 1
}

if ! "$py" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
    python=$(find_python)
    echo "setup: creating .venv with $("$python" --version)"
    rm -rf .venv
    if command -v uv >/dev/null 2>&1; then
        uv venv --quiet --python "$python" .venv
    else
        "$python" -m venv .venv
    fi
fi

echo "setup: installing requirements.lock"
if command -v uv >/dev/null 2>&1; then
    uv pip install --quiet --python "$py" --compile-bytecode --require-hashes -r requirements.lock
    uv pip install --quiet --python "$py" --no-deps --no-build-isolation -e .
else
    # A venv that uv made has no pip of its own.
    "$py" -m pip --version >/dev/null 2>&1 || "$py" -m ensurepip --upgrade >/dev/null
    "$py" -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
    "$py" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
fi
