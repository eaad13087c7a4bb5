# Thin on purpose: each target is one script in Scripts/. `make` alone lists them.
.PHONY: help deps deps-test build release run screens test bench fuzz check format clean install deb test-deb translations
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name text; do \
	  printf '  make %-12s %s\n' "$$name" "$$text"; done

deps: ## Install the Debian packages that the build needs and that are missing
	@Scripts/deps.sh build

deps-test: ## The same, with those that the tests need
	@Scripts/deps.sh build test

build: deps ## Build for debugging, into .build/debug
	@Scripts/build.sh debug

release: deps ## Build a release, into .build/release
	@Scripts/build.sh release

run: ## Install what is missing, build a release, start it (without a display: the tour of all screens)
	@Scripts/run.sh

screens: ## Walk through every screen on a private display; a PNG of each into build/screens
	@Scripts/run.sh --tour

test: deps-test ## Run all tests; ONLY=swift, gtk, auth, web, end-to-end or packaging runs one, ONLY=auth:test_password a part
	@Scripts/test.sh $(ONLY)

bench: deps-test ## Start time, memory and idle CPU beside those of a bare window in C
	@Scripts/bench.sh

fuzz: deps ## Feed each parser with made-up input, a minute each (SECONDS_EACH=10 ONLY="versions legal" for less)
	@Scripts/fuzz.sh $(ONLY)

check: ## Format, imports, lengths, scripts: all that needs no build, in under a minute
	@Scripts/check.sh

install: ## Install the release build below DESTDIR and PREFIX (/usr/local); PAM=none without the PAM files
	@Scripts/install.sh "$(DESTDIR)" "$(or $(PREFIX),/usr/local)"

translations: ## Bring data/translations in step with the words in the sources
	@Scripts/translations.sh

deb: ## Build the Debian package and its debug symbols, into build/
	@Scripts/deps.sh build deb
	@Scripts/deb.sh

test-deb: ## Look at that package with lintian, and try it in a minimal system (as root); STEP=life runs one step
	@Scripts/deps.sh deb test-deb
	@/usr/bin/python3 Tests/Packaging/chroot.py $(STEP)

format: ## Format the Swift sources in place
	@Scripts/format.sh

clean: ## Remove what was built
	@rm -rf .build build
