#!/usr/bin/env bash
# Finds or installs what a build needs, says which, and writes the choice to
# target/toolchain.env. Quick when nothing is missing; safe to run again.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p target
env_file=target/toolchain.env
target=wasm32-unknown-unknown
jaq=3.1.2

say() { printf 'setup: %s\n' "$*" >&2; }
die() { printf 'setup: error: %s\n' "$*" >&2; exit 1; }
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else return 1; fi
}
apt_install() {
  command -v apt-get >/dev/null || return 1
  # Old lists can name versions that are too old, or gone.
  as_root apt-get update -q >&2 && as_root apt-get install -y -q "$@" >&2
}
# Debian's compiler for the web, if it is new enough for the plugins.
has_debian_std() {
  [ -d /usr/lib/rustlib/src/rust/library ] || [ -d "$(/usr/bin/rustc --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library" ] || return 1
  [ -x /usr/bin/cargo ] || return 1
  local minor
  minor=$(/usr/bin/rustc --version | sed -n 's/^rustc 1\.\([0-9]*\)\..*/\1/p')
  [ "${minor:-0}" -ge 95 ]
}
has_std() {
  local libdir
  libdir=$("$1" --print target-libdir --target "$target" 2>/dev/null) || return 1
  compgen -G "$libdir/libstd-*.rlib" >/dev/null
}

# A clang that can compile for wasm; of several, the newest that Debian names with its version.
find_wasm_clang() {
  local clang
  for clang in ${CC_wasm32_unknown_unknown:-} clang $(compgen -c clang- | grep -x 'clang-[0-9]*' | sort -t- -k2 -rn -u); do
    if echo 'int f(void) { return 0; }' | "$clang" --target=wasm32 -mbulk-memory -msimd128 -c -x c -o /dev/null - 2>/dev/null; then
      echo "$clang"
      return
    fi
  done
  return 1
}

command -v cargo >/dev/null || die "cargo is not on PATH; install Rust 1.95 or newer with rustup"
command -v cc >/dev/null || apt_install gcc libc6-dev || die "no C compiler (cc); install gcc or clang"

sysroot=$(rustc --print sysroot)
host=$(rustc -vV | sed -n 's/^host: //p')
tools="$sysroot/lib/rustlib/$host/bin"
{
  if has_std rustc; then
    say "std for $target: in the active toolchain"
    echo "PLUGIN_CARGO='cargo'"
  elif command -v rustup >/dev/null && rustup target add "$target" >/dev/null 2>&1 && has_std rustc; then
    say "std for $target: added with rustup"
    echo "PLUGIN_CARGO='cargo'"
  elif has_debian_std \
    || { apt_install rustc-web cargo-web libstd-rust-web-dev rust-web-src && has_debian_std; }; then
    say "std for $target: built from Debian's sources (rust-web-src)"
    echo "PLUGIN_CARGO='/usr/bin/cargo'"
    echo "PLUGIN_FLAGS='-Zbuild-std=std,panic_abort'"
    echo "export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1"
  else
    die "no std for $target: run 'rustup target add $target', or on Debian 'apt-get install rustc-web cargo-web libstd-rust-web-dev rust-web-src'"
  fi
  # The parsers of view_file_outline are C, which clang compiles for wasm; its headers come with the plugin.
  if wasm_clang=$(find_wasm_clang) || { apt_install clang && wasm_clang=$(find_wasm_clang); }; then
    say "C for $target: $wasm_clang"
    echo "export CC_wasm32_unknown_unknown='$wasm_clang'"
    # Quoted, as the path of the checkout can have blanks.
    echo "export CC_SHELL_ESCAPED_FLAGS=1"
    echo "export CFLAGS_wasm32_unknown_unknown='-isystem \"$PWD/plugins/view-file-outline/include\" -mbulk-memory -msimd128'"
  else
    die "no C compiler for wasm: install clang (any version from 11 on whose 'clang --print-targets' lists wasm32), on Debian 'apt-get install clang'"
  fi
  if [ -x "$tools/wasm-component-ld" ]; then
    echo "PLUGIN_PATH='$tools:$tools/gcc-ld'"
  elif command -v wasm-component-ld >/dev/null; then
    echo "PLUGIN_PATH=''"
  else
    die "wasm-component-ld is neither in the toolchain nor on PATH: run 'cargo install wasm-component-ld' and install lld"
  fi
} > "$env_file.new"
mv "$env_file.new" "$env_file"

# A plugin written against the standard library is part of the tests where its target can be had.
if [ "${1:-}" = test ]; then
  if rustc --print target-libdir --target wasm32-wasip2 >/dev/null 2>&1 \
    && ! compgen -G "$(rustc --print target-libdir --target wasm32-wasip2)/libstd-*.rlib" >/dev/null \
    && command -v rustup >/dev/null; then
    rustup target add wasm32-wasip2 >/dev/null 2>&1 || say "wasm32-wasip2 cannot be added; the plugin that uses std is not tested"
  fi
  command -v python3 >/dev/null || apt_install python3 python3-venv || die "the MCP client tests need python3"
  requirements=tests/mcp_client/requirements.txt
  if ! cmp -s "$requirements" .venv/requirements.txt; then
    say "Python packages of the MCP client tests"
    [ -x .venv/bin/python ] || python3 -m venv .venv 2>/dev/null \
      || { apt_install python3-venv && python3 -m venv .venv; } || die "python3 -m venv does not work"
    .venv/bin/pip install -q -r "$requirements" || die "pip cannot install $requirements"
    cp "$requirements" .venv/requirements.txt
  fi
fi
# Programs that do what some tools do, for tests and the bench to compare with.
if [ "${1:-}" = test ] || [ "${1:-}" = bench ]; then
  command -v rg >/dev/null || apt_install ripgrep || die "grep is compared with ripgrep (rg); install it"
  command -v jq >/dev/null || apt_install jq || die "json_query is compared with jq; install it"
fi
if [ "${1:-}" = test ]; then
  # Where requests really go is watched in a network namespace.
  command -v ip >/dev/null || apt_install iproute2 || say "without ip (iproute2), no network namespace is watched"
  command -v node >/dev/null || say "without Node.js 20 or newer, the plugin in JavaScript is not tested"
fi
if [ "${1:-}" = test ] && [ "$(id -u)" = 0 ]; then
  # A file system that folds case, which most kernels have only through FUSE.
  command -v lowntfs-3g >/dev/null || apt_install ntfs-3g \
    || say "without ntfs-3g, names that differ in case are tested where the kernel has vfat or casefold"
fi
if [ "${1:-}" = bench ]; then
  command -v jaq >/dev/null || [ -x target/peers/bin/jaq ] \
    || cargo install --quiet --locked --version "$jaq" --root target/peers jaq \
    || say "without jaq, the bench compares json_query with jq alone"
  command -v fdfind >/dev/null || command -v fd >/dev/null || apt_install fd-find \
    || say "without fd, the bench compares glob with ripgrep alone"
  command -v ctags >/dev/null || apt_install universal-ctags \
    || say "without ctags, the bench compares view_file_outline with reading the file"
fi
