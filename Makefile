# Everything a developer does, from a fresh machine. `make` lists the targets.
JOBS ?= $(shell nproc)
CTEST := ctest --output-on-failure --no-tests=error -j$(JOBS)
FLYBALL := build/release/src/flyball

help: ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

setup: ## install what is missing (Debian packages)
	@scripts/setup.sh

build: setup ## the program, its tests and benchmarks, optimised
	@$(call configure,release)
	@cmake --build --preset release -j$(JOBS)

demo: setup ## build the program and run the study on two real records
	@$(call configure,release)
	@cmake --build --preset release -j$(JOBS) --target flyball
	@scripts/demo.sh $(FLYBALL)

test: build ## all tests, then the fast ones under address and undefined-behaviour sanitizers
	@$(CTEST) --test-dir build/release
	@$(MAKE) --no-print-directory asan

asan: setup ## fast tests under ASan and UBSan
	@$(call configure,asan)
	@cmake --build --preset asan -j$(JOBS)
	@$(CTEST) --test-dir build/asan -L fast

tsan: setup ## fast tests under ThreadSanitizer
	@$(call configure,tsan)
	@cmake --build --preset tsan -j$(JOBS)
	@$(CTEST) --test-dir build/tsan -L fast

coverage: setup ## line coverage of src/ by all tests
	@$(call configure,coverage)
	@cmake --build --preset coverage -j$(JOBS)
	@find build/coverage -name '*.gcda' -delete
	@$(CTEST) --test-dir build/coverage
	@gcovr -r . --filter src/ --object-directory build/coverage --exclude-unreachable-branches --print-summary --txt build/coverage/coverage.txt
	@tail -4 build/coverage/coverage.txt

fuzz: setup ## both fuzzers for SECONDS=600 each
	@scripts/fuzz.sh $(or $(SECONDS),600)

bench: build ## benchmarks; each asserts its answer
	@scripts/bench.sh build/release/bench

format: setup ## clang-format over the C++ files
	@git ls-files '*.h' '*.cc' | xargs clang-format -i

docs: build ## regenerate docs/reference from the tables in the program
	@$(FLYBALL) docs docs/reference

clean: ## remove build/
	@rm -rf build

configure = [ -f build/$(1)/build.ninja ] || cmake --preset $(1) >/dev/null

.PHONY: help setup build demo test asan tsan coverage fuzz bench format docs clean
