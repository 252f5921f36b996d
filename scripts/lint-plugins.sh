#!/usr/bin/env bash
# Lints the plugins for the target they are built for.
set -euo pipefail
cd "$(dirname "$0")/../plugins"
# shellcheck disable=SC1091
. ../target/toolchain.env
export PATH="$PLUGIN_PATH:$PATH"
if [ "$PLUGIN_CARGO" = cargo ]; then
  cargo clippy --release --locked --target wasm32-unknown-unknown -- -D warnings
fi
