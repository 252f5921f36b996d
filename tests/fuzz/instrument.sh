#!/bin/bash
# Cargo calls this instead of rustc for the packages of this workspace, so that
# only they get coverage counters: the parsers, and not the libraries below.
exec "$@" \
    -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares
