#!/usr/bin/env bash
# Builds the example plugin in JavaScript as a component, target/guests/js_fetch.wasm.
# Only when something changed: each build of the same sources gives other bytes,
# which the host would have to compile again. Exits with 3 where the machine
# lacks what it needs.
set -euo pipefail
cd "$(dirname "$0")/.."
source=plugins/examples/js-fetch
work=target/js/js-fetch
out=target/guests/js_fetch.wasm

die() { printf 'js-plugin: error: %s\n' "$*" >&2; exit 1; }
lack() { printf 'js-plugin: %s\n' "$*" >&2; exit 3; }

[ -f "$source/package-lock.json" ] || die "$source/package-lock.json is missing from this checkout"
command -v npm >/dev/null || lack "npm is not on PATH; install Node.js 20 or newer"
node=$(node --version) || lack "node does not run; install Node.js 20 or newer"
major=${node#v}
[ "${major%%.*}" -ge 20 ] || lack "Node.js is $node; install 20 or newer"

sources=$(sha256sum "$source"/package*.json "$source"/*.js "$source"/wit/*.wit)
if [ -f "$out" ] && [ "$(cat "$work/built" 2>/dev/null)" = "$sources" ]; then
  exit
fi

# Built in a copy, so that nothing is installed into the source tree.
mkdir -p "$work" target/guests
rm -rf "$work"/*.js "$work/wit" "$work/built"
cp -RL "$source"/package*.json "$source"/*.js "$source/wit" "$work/"
cd "$work"
if ! cmp -s package-lock.json installed.json; then
  rm -f installed.json
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2 \
    || lack "npm ci failed in $work; it needs the npm registry"
  cp package-lock.json installed.json
fi
npm run --silent build >&2 || die "componentize-js failed in $work"
cd - >/dev/null
mv "$work/js_fetch.wasm" "$out"
printf '%s\n' "$sources" > "$work/built"
