#!/usr/bin/env bash
# Builds the plugins as components and copies those that changed to
# target/components, where the host build embeds them.
# With the argument "guests": the test guests, to target/guests.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck disable=SC1091
. target/toolchain.env
export PATH="$PLUGIN_PATH:$PATH"
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-component-ld

build() { # folder, destination
  # shellcheck disable=SC2086
  (cd "$1" && $PLUGIN_CARGO build --release --locked ${PLUGIN_FLAGS:-} --target wasm32-unknown-unknown)
  mkdir -p "$2"
  for file in "$1"/target/wasm32-unknown-unknown/release/*.wasm; do
    cmp -s "$file" "$2/$(basename "$file")" || cp "$file" "$2/"
  done
}

build plugins target/components
if [ "${1:-}" = guests ]; then
  build tests/guests target/guests
  libdir=$(rustc --print target-libdir --target wasm32-wasip2 2>/dev/null || true)
  if compgen -G "$libdir/libstd-*.rlib" >/dev/null; then
    (cd tests/guests/std-files && env -u RUSTC -u RUSTC_BOOTSTRAP cargo build --release --locked --target wasm32-wasip2 --target-dir ../target)
    cp tests/guests/target/wasm32-wasip2/release/std_files.wasm target/guests/
  fi
  scripts/js-plugin.sh || [ $? = 3 ]
fi
