# The last line of every target is its verdict with its figures. Each target installs missing Debian
# packages that it needs, and asks first if a terminal is attached (.ci/packages).

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

# g++ for the C++ library that Swift's standard library links; of libcurl and libmosquitto the headers
# alone. `swift` is any toolchain (.ci/packages).
LINKED_PACKAGES := g++ pkg-config libcurl4-openssl-dev libgpiod-dev libgps-dev libmnl-dev \
  libmosquitto-dev libsqlite3-dev libsystemd-dev
BUILD_PACKAGES := swift $(LINKED_PACKAGES) device-tree-compiler
# The kernel laboratory: the packages to build its kernel, and the programs inside it.
KERNEL_PACKAGES := linux-source-6.12 gcc make flex bison bc xz-utils kmod busybox-static iproute2 \
  gpiod i2c-tools gpsd gpsd-clients hostapd iw wpasupplicant dbus network-manager polkitd bluez
# Other programs with whose input and output the tests compare Godwit's.
TEST_PACKAGES := $(BUILD_PACKAGES) curl dbus gdal-bin gpsd gpsd-clients iproute2 \
  libimage-exiftool-perl libsodium23 libxml2-utils mandoc mosquitto mosquitto-clients openssl \
  postgresql postgresql-postgis python3 python3-dbusmock python3-nacl sqlite3 udev
BENCH_PACKAGES := binutils gpsd gpsd-clients mosquitto mosquitto-clients openssl python3 strace
# Trees of Debian's releases, in which packages are built and a fresh machine is tried.
TREE_PACKAGES := mmdebstrap rsync
# The service laboratory: its kernel, and Debian trees with systemd.
SERVICE_PACKAGES := $(KERNEL_PACKAGES) e2fsprogs make mmdebstrap python3
# What the siege needs besides the program: disks to fill and cut off, a real gpsd, a wrong clock,
# and other programs that read places.
SIEGE_PACKAGES := e2fsprogs faketime gcc gdal-bin gpsd libxml2-utils mosquitto mount \
  python3 python3-dateutil python3-geojson python3-icalendar
# The image: all else is in a tree of Debian 13's tools that is made once (board/image/packages).
IMAGE_PACKAGES := debian-archive-keyring dpkg-dev git mmdebstrap mount python3 util-linux xz-utils

# Stamped with the version; RELEASE_OPTIONS are those of the packages. Nobody links with the program,
# so it has no names for others.
RELEASE_OPTIONS ?=
RELEASE = GODWIT_VERSION=$${GODWIT_VERSION:-$$(.ci/version)} \
  swift build -c release --static-swift-stdlib --product godwit -Xlinker --no-export-dynamic \
  $(RELEASE_OPTIONS)
SOURCES := Sources Tests Package.swift
# PROGRAM names another build of it, and RUN runs one for another machine.
PROGRAM := .build/release/godwit
RUN ?=
# The target that builds it, if it is the one built here.
BUILT = $(if $(filter .build/release/%,$(PROGRAM)),build)
OVERLAYS := .build/overlays
MAN := .build/man
PAGES := godwit.1 godwit.toml.5 godwit.gpkg.5
COMPLETIONS := .build/completions

# Where `make install` installs; DESTDIR is put before each. systemd and udev search fixed folders
# only, whatever the prefix.
PREFIX ?= /usr/local
UNITS ?= /etc/systemd/system
SYSUSERS ?= /usr/lib/sysusers.d
RULES ?= /etc/udev/rules.d
POLKIT ?= /etc/polkit-1/rules.d
GEOCLUE ?= /etc/geoclue/conf.d
ZSH ?= $(PREFIX)/share/zsh/site-functions
STRIP ?= strip
# Only for a systemd that supports it.
SYSTEMD ?= $(shell systemctl --version 2>/dev/null | awk 'NR == 1 {print $$2}')
BACK_OFF = $(if $(shell [ "0$(SYSTEMD)" -lt 254 ] || echo yes),board/systemd/godwit.service.d/backoff.conf)

# The targets share one build folder, so they run one after the other.
.NOTPARALLEL:
.PHONY: build demo test test-fresh siege soak test-kernel test-service test-debian13 fuzz \
  fuzz-short bench results man completions overlays boards format lint install uninstall clean \
  deb deb-arm64 test-packages release release-key release-toolchain image test-image

build:
	@.ci/packages build $(BUILD_PACKAGES)
	@start=$$SECONDS; \
	  $(RELEASE); \
	  echo "build: .build/release/godwit, $$(stat -Lc %s .build/release/godwit) bytes," \
	    "after $$((SECONDS - start)) s"

demo: build
	@Tests/Tools/demo.sh

# The picture of the README.
docs/day.svg: demo
	@cp demo/day.svg $@
	@echo "$@: made from demo/day.svg"

test:
	@.ci/packages test $(TEST_PACKAGES)
	@swift build --build-tests
	@$(MAKE) --no-print-directory man PROGRAM=.build/debug/godwit
	@.ci/check-files
	@.ci/run-tests

# The release binary under hostile conditions; SIZE=full takes hours, AREA names the areas
# (Tests/Siege/siege.py --list).
AREA ?=
SIZE ?= short
SEED ?= 1
JOBS ?= 1
siege:
	@.ci/packages siege $(SIEGE_PACKAGES)
	@$(MAKE) --no-print-directory build
	@Tests/Siege/siege.py --area '$(AREA)' --size $(SIZE) --seed $(SEED) --jobs $(JOBS)

# Every long-lived process over the records of two days, with SIZE=full of a month: its descriptors,
# memory and wake-ups stay constant.
soak:
	@.ci/packages $@ $(TEST_PACKAGES)
	@$(MAKE) --no-print-directory build
	@Tests/Siege/siege.py --area soak --size $(SIZE)

# The daemon's release build, inside a real kernel with simulated hardware.
test-kernel:
	@.ci/packages test-kernel $(KERNEL_PACKAGES)
	@$(MAKE) --no-print-directory build
	@for program in lab-receiver switch-exercise kernel-lab; do \
	  swift build --product $$program; done
	@kernel=$$(Tests/KernelLab/build-kernel) && .build/debug/kernel-lab --kernel "$$kernel"

# The service on Debian 12's and 13's systemd; needs root. BOOKWORM and TRIXIE name a package or a
# program for each release; one that is built here serves the release that this is.
HERE := $(shell . /etc/os-release && echo "$$VERSION_CODENAME")
BOOKWORM ?= $(if $(filter bookworm,$(HERE)),$(PROGRAM))
TRIXIE ?= $(if $(filter trixie,$(HERE)),$(PROGRAM))
test-service: man completions overlays
	@.ci/packages test-service $(SERVICE_PACKAGES)
	@kernel=$$(Tests/KernelLab/build-kernel service) && Tests/ServiceLab/service-lab \
	  --kernel "$$kernel" $(if $(BOOKWORM),--release bookworm=$(BOOKWORM)) \
	  $(if $(TRIXIE),--release trixie=$(TRIXIE))

# Debian's releases of `deb`, `deb-arm64`, `test-packages` and `test-fresh`.
DEBIAN ?= bookworm trixie

# A fresh machine of each release with git and make: a clean clone of what is committed, make demo,
# make test. Takes up to an hour for each.
test-fresh:
	@.ci/packages $@ swift $(TREE_PACKAGES)
	@.ci/as-root Tests/Tools/fresh $(DEBIAN)

# The GPIO switch with Debian 13's libgpiod 2, which the kernel laboratory of Debian 12 does not have,
# on a real kernel's simulated chips; all other tests run in Debian 13 by test-fresh. Takes minutes.
test-debian13:
	@.ci/packages $@ swift $(KERNEL_PACKAGES) $(TREE_PACKAGES)
	@.ci/as-root Tests/Tools/debian13 $(LINKED_PACKAGES)

# A card for a board, and the bundle that upgrades one: board/image/README.md. Needs root; the first
# one takes half an hour, most of it in an emulator, and later ones some minutes.
BOARD ?= qemu-virt
DEBS ?= .build/deb/trixie-arm64
image:
	@.ci/packages image $(IMAGE_PACKAGES)
	@board/image/build '$(BOARD)' '$(DEBS)' .build/image

# The image in qemu-system-aarch64: boots, tracks, loses its supply, is upgraded and falls back.
# CUTS power cuts; AREA names the areas (Tests/ImageLab/run --list).
CUTS ?= 100
test-image:
	@.ci/packages test-image $(IMAGE_PACKAGES)
	@Tests/ImageLab/run --debs '$(DEBS)' --cuts '$(CUTS)' --area '$(AREA)'

# Coverage-guided fuzzing: make fuzz TARGET=receiver SECONDS=60; see Tests/Fuzz/README.md.
TARGET ?= all
SECONDS ?= 60
fuzz:
	@.ci/packages $@ swift $(LINKED_PACKAGES)
	@Tests/Fuzz/run $(TARGET) $(SECONDS)

# A short run of every fuzz target, before a release; make test changes the seeds at random.
fuzz-short:
	@.ci/packages $@ swift $(LINKED_PACKAGES)
	@Tests/Fuzz/run all 5

bench:
	@.ci/packages bench $(BENCH_PACKAGES)
	@$(MAKE) --no-print-directory build
	@Tests/Benchmarks/bench.sh

# The tables of docs that name the command that prints them, made anew, after the tests of the studies:
# differences are reported, and are a failure. It takes hours; FIGURES="bounds routine" chooses commands by
# their words. The labelled traces have to be there for two of them.
FIGURES ?=
results: build
	@.ci/packages $@ python3
	@swift build --package-path Tests/Studies --scratch-path .build/studies --build-tests
	@.ci/run-tests .build/studies/debug/studiesPackageTests.xctest
	@Tests/Tools/figures.py $(FIGURES)

# The program writes its own manual; PROGRAM names another build of it than the release.
man: $(BUILT)
	@mkdir -p $(MAN); \
	date=$$(LC_ALL=C date -d "$$(git log -1 --format=%cs 2>/dev/null || date -I)" '+%B %-d, %Y'); \
	for page in $(PAGES); do $(RUN) $(PROGRAM) manual $$page --date "$$date" >$(MAN)/$$page; done; \
	echo "man: $$(ls $(MAN) | wc -l) pages in $(MAN)"

boards:
	@.ci/packages $@ python3
	@board/facts.py

completions: $(BUILT)
	@mkdir -p $(COMPLETIONS)
	@$(RUN) $(PROGRAM) --generate-completion-script bash | \
	  sed '1{/^#!/d;}' >$(COMPLETIONS)/godwit
	@$(RUN) $(PROGRAM) --generate-completion-script zsh >$(COMPLETIONS)/_godwit
	@$(RUN) $(PROGRAM) --generate-completion-script fish >$(COMPLETIONS)/godwit.fish
	@echo "completions: bash, zsh and fish in $(COMPLETIONS)"

# Device-tree overlays as the firmware loads them, with their symbols.
overlays:
	@.ci/packages $@ device-tree-compiler
	@mkdir -p $(OVERLAYS)
	@for source in board/*/*.dts; do \
	  dtc -q -@ -I dts -O dtb -o $(OVERLAYS)/$$(basename "$$source" .dts).dtbo "$$source"; done
	@echo "overlays: $$(ls $(OVERLAYS) | wc -l) in $(OVERLAYS)"

format:
	@.ci/packages $@ swift
	@swift format -i -r $(SOURCES)
	@echo "format: $$(git diff --name-only -- $(SOURCES) | wc -l) files differ from the last commit"

lint:
	@.ci/packages $@ swift python3
	@swift format lint --strict -r $(SOURCES)
	@Tests/Tools/dependencies.py
	@echo "lint: $$(git ls-files '*.swift' | wc -l) files, nothing to complain about"

# Everything that `make install` puts somewhere and `make uninstall` takes away: mode:source:target.
DOCUMENTS := $(PREFIX)/share/doc/godwit
INSTALLED = 755:$(PROGRAM):$(PREFIX)/bin/godwit \
  $(foreach page,$(PAGES),644:$(MAN)/$(page):$(PREFIX)/share/man/man$(subst .,,$(suffix $(page)))/$(page)) \
  644:$(COMPLETIONS)/godwit:$(PREFIX)/share/bash-completion/completions/godwit \
  644:$(COMPLETIONS)/_godwit:$(ZSH)/_godwit \
  644:$(COMPLETIONS)/godwit.fish:$(PREFIX)/share/fish/vendor_completions.d/godwit.fish \
  $(foreach unit,godwit.service godwit-alert.socket godwit-alert@.service \
    godwit-uplink.service godwit-uplink.socket godwit-uplink.timer, \
    644:board/systemd/$(unit):$(UNITS)/$(unit)) \
  $(if $(BACK_OFF),644:$(BACK_OFF):$(UNITS)/godwit.service.d/backoff.conf) \
  644:board/systemd/godwit.sysusers:$(SYSUSERS)/godwit.conf \
  644:board/systemd/gpsd.socket.d/godwit.conf:$(DOCUMENTS)/examples/gpsd.socket.d/godwit.conf \
  $(foreach name,closed data-partition, \
    644:board/systemd/godwit.service.d/$(name).conf:$(DOCUMENTS)/examples/godwit.service.d/$(name).conf) \
  644:board/polkit/50-godwit.rules:$(POLKIT)/50-godwit.rules \
  644:board/geoclue/godwit.conf:$(GEOCLUE)/godwit.conf \
  $(foreach test,$(wildcard board/protocols/*.toml), \
    644:$(test):$(PREFIX)/share/godwit/protocols/$(notdir $(test))) \
  $(foreach rules,$(wildcard udev/*.rules),644:$(rules):$(RULES)/$(notdir $(rules))) \
  $(foreach part,$(filter-out board/image/%, \
    $(wildcard board/README.md board/*/board.toml board/*/*.dts board/*/README.md)), \
    644:$(part):$(PREFIX)/share/godwit/boards/$(part:board/%=%)) \
  $(foreach overlay,$(basename $(notdir $(wildcard board/*/*.dts))), \
    644:$(OVERLAYS)/$(overlay).dtbo:$(PREFIX)/share/godwit/overlays/$(overlay).dtbo)

# Installs what has been built; it builds nothing, so that root writes nothing into .build. The
# program is stripped, which takes off more than half: names of functions in a crash's backtrace are
# then those of the unstripped one, which stays in .build (gdb .build/release/godwit CORE). STRIP=
# installs it as it was built.
install:
	@for entry in $(INSTALLED); do \
	  IFS=: read -r mode made target <<<"$$entry"; \
	  [ -e "$$made" ] || { \
	    echo "install: there is no $$made; run 'make build man completions overlays' first" >&2; exit 1; }; \
	done
	@for entry in $(INSTALLED); do \
	  IFS=: read -r mode made target <<<"$$entry"; \
	  install -Dm$$mode "$$made" "$(DESTDIR)$$target"; \
	done
	@$(if $(STRIP),$(STRIP) '$(DESTDIR)$(PREFIX)/bin/godwit')
	@sed -i 's|/usr/local/bin/godwit|$(PREFIX)/bin/godwit|' \
	  '$(DESTDIR)$(UNITS)/godwit.service' '$(DESTDIR)$(UNITS)/godwit-alert@.service' \
	  '$(DESTDIR)$(UNITS)/godwit-uplink.service'
	@[ -e '$(DESTDIR)/etc/godwit/godwit.toml' ] || \
	  install -Dm644 debian/godwit.toml '$(DESTDIR)/etc/godwit/godwit.toml'
	@echo "install: $(DESTDIR)$(PREFIX)/bin/godwit with manual, completions, boards, units and udev rules"

# Keeps changed settings, the user's own boards, the store, the user and its groups.
uninstall:
	@for entry in $(INSTALLED); do rm -f "$(DESTDIR)$${entry##*:}"; done
	@! cmp -s debian/godwit.toml '$(DESTDIR)/etc/godwit/godwit.toml' || \
	  rm '$(DESTDIR)/etc/godwit/godwit.toml'
	@find '$(DESTDIR)$(PREFIX)/share/godwit' '$(DESTDIR)$(DOCUMENTS)' '$(DESTDIR)/etc/godwit' \
	  -depth -type d -empty -delete 2>/dev/null || true
	@echo "uninstall: $(words $(INSTALLED)) files are gone; changed settings and the store are left"

# Debian packages, in .build/deb, built and checked in trees of their releases; see
# Tests/Packages/README.md. For Debian 13 with its own Swift, for Debian 12 with this machine's, which
# has to be swift.org's for Debian 12: without it that release is left out, unless DEBIAN names it.
deb:
	@.ci/packages $@ swift $(TREE_PACKAGES)
	@.ci/as-root Tests/Packages/build amd64 $(DEBIAN)

# For the Raspberry Pi OS of the same release, too.
deb-arm64:
	@.ci/packages $@ swift $(TREE_PACKAGES)
	@.ci/as-root Tests/Packages/build arm64 $(DEBIAN)

# Tries the packages in fresh trees of their releases.
test-packages:
	@.ci/packages $@ $(TREE_PACKAGES)
	@.ci/as-root Tests/Packages/check $(DEBIAN)

# Everything that is handed out, with checksums, in .build/dist; docs/releasing.md says what else a
# release takes.
IMAGE_BOARDS := qemu-virt raspberry-pi-zero-2-w raspberry-pi-3 raspberry-pi-4
release: release-key release-toolchain deb deb-arm64
	@.ci/packages release $(IMAGE_PACKAGES)
	@for board in $(IMAGE_BOARDS); do \
	  board/image/build "$$board" .build/deb/trixie-arm64 .build/image || exit; done
	@Tests/Packages/release $(IMAGE_BOARDS)

# Boards with a development key must not be handed out: its holder can upgrade them, and when it is
# lost they cannot be upgraded.
release-key:
	@[ -n "$${RAUC_KEY:-}" ] && [ -n "$${RAUC_CERTIFICATE:-}" ] || { \
	  echo "release: FAILED: RAUC_KEY and RAUC_CERTIFICATE name the key that signs upgrades and its" \
	    "certificate; board/image/README.md, Keys, makes one" >&2; exit 1; }

# Otherwise the packages of Debian 12 would be found missing after hours.
release-toolchain:
	@.ci/toolchain >/dev/null

clean:
	@rm -rf .build demo
	@echo "clean: nothing built is left"
