#!/usr/bin/env bash
# Builds the fuzz targets with coverage counters, and runs those that are named, or all, one after the other.
#   FUZZ_SECONDS   for each target; 60 unless set
#   FUZZ_INPUT     a file: it is run once instead
# New inputs go to target/fuzz/corpus, findings to target/fuzz/found.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${FUZZ_SECONDS:-60}
work=$PWD/target/fuzz
known=$(basename -s .rs -a tests/fuzz/targets/*.rs | tr '\n' ' ')
targets=${*:-$known}
for target in $targets; do
  case " $known" in
    *" $target "*) ;;
    *) echo "fuzz: there is no target $target; there are: $known" >&2; exit 2 ;;
  esac
done

# The fuzzing engine is C++.
CXX=${CXX:-$(command -v c++ || command -v clang++ || true)}
[ -n "$CXX" ] || { echo "fuzz: no C++ compiler (c++ or clang++); on Debian 'apt-get install g++'" >&2; exit 1; }
export CXX RUSTC_WORKSPACE_WRAPPER=$PWD/tests/fuzz/instrument.sh CARGO_TARGET_DIR=$work/build
cargo build --release --locked --manifest-path tests/fuzz/Cargo.toml

export TMPDIR=$work/tmp
mkdir -p "$TMPDIR"
failed=()
for target in $targets; do
  mkdir -p "$work/corpus/$target" "$work/found/$target"
  run=("$work/build/release/$target" -max_len=1024 -timeout=60 -use_value_profile=1 -print_final_stats=1
    "-dict=tests/fuzz/dictionaries/$target.dict" "-artifact_prefix=$work/found/$target/")
  if [ -n "${FUZZ_INPUT:-}" ]; then
    "${run[@]}" "$FUZZ_INPUT" || failed+=("$target")
  else
    echo "fuzz: $target for $seconds s"
    "${run[@]}" "-max_total_time=$seconds" "$work/corpus/$target" "tests/fuzz/corpus/$target" \
      >"$work/$target.log" 2>&1 || failed+=("$target")
    # Executions and covered edges; nothing if the target did not start.
    { grep -a -E '^#[0-9]+.*cov:' "$work/$target.log" || true; } | tail -n 1
  fi
done
if [ ${#failed[@]} -gt 0 ]; then
  for target in "${failed[@]}"; do
    echo "fuzz: $target failed; see target/fuzz/$target.log, and run an input again with" >&2
    echo "  make fuzz TARGET=$target FUZZ_INPUT=target/fuzz/found/$target/NAME" >&2
  done
  exit 1
fi
