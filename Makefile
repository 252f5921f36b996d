# The commands of the README. `make run` and `make test` work on a fresh clone.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
CARGO_PROFILE := --release
BINARY := target/release/toolgate
# The plugins' tests run natively, where optimising across crates only takes time.
QUICK := CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16

.PHONY: help setup components build run test lint unit bench soak fuzz

help: ## Lists the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | column -t -s $$'\t'

setup: ## Installs what is missing
	@scripts/setup.sh

components: setup ## Builds the built-in tools as components
	@scripts/components.sh

build: components ## Builds the binary and compiles the components into the cache
	cargo build $(CARGO_PROFILE) --locked -p toolgate
	@$(BINARY) tools >/dev/null

run: build ## Serves the tools over MCP for the current directory
	@$(BINARY) serve

test: lint unit ## Runs everything: formatting, lints, all tests, the README's commands

lint: components ## Checks formatting and lints
	cargo fmt --all --check
	cd plugins && cargo fmt --all --check
	cd tests/guests && cargo fmt --all --check
	cd tests/fuzz && cargo fmt -p toolgate-fuzz --check
	cargo clippy $(CARGO_PROFILE) --locked --workspace --all-targets -- -D warnings
	cargo check $(CARGO_PROFILE) --locked --manifest-path tests/fuzz/Cargo.toml --target-dir target/fuzz/check -p toolgate-leaves
	@scripts/lint-plugins.sh

unit: build ## Runs all tests
	@scripts/setup.sh test
	@scripts/components.sh guests
	cd plugins && $(QUICK) cargo test --release --locked --target "$$(rustc -vV | sed -n 's/^host: //p')"
	cargo test $(CARGO_PROFILE) --locked --workspace

bench: build ## Measures, each figure against a peer in the same run
	@scripts/setup.sh bench
	@scripts/components.sh guests
	PATH="$$PWD/target/peers/bin:$$PATH" cargo run $(CARGO_PROFILE) --locked -p toolgate-tests --bin bench

soak: build ## The long runs of the threat rows (about an hour)
	@scripts/components.sh guests
	TOOLGATE_SOAK=1 cargo test $(CARGO_PROFILE) --locked -p toolgate-tests -- --nocapture

fuzz: ## Fuzzes the parsers: TARGET or all of them, FUZZ_SECONDS (60) each
	@scripts/fuzz.sh $(TARGET)
