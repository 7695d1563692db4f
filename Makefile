# voxpack: make help lists the targets.
#
# Nothing but Go and make is needed. What is missing (a C compiler for the race
# detector, Python for the format check) is left out with a notice, never
# silently.

GO      ?= go
FUZZTIME ?= 60s
SOAK    ?= 1000
# targets of the cross-compilation: what is promised to build everywhere
CROSS   ?= linux/arm64 darwin/arm64
# where goroutines meet; the race detector is slow, so only there, and -short
RACE    := $(patsubst %,./%/...,$(wildcard store compiler gpufeed))

# Real speech for the tests that want it: VOXPACK_CORPORA names a folder that
# holds ljspeech-32; without one those tests say that they are skipped.
VOXPACK_CORPORA ?= $(wildcard ../shared/data)
ifneq ($(wildcard $(VOXPACK_CORPORA)),)
override VOXPACK_CORPORA := $(abspath $(VOXPACK_CORPORA))
export VOXPACK_CORPORA
else
ifneq ($(strip $(VOXPACK_CORPORA)),)
$(warning VOXPACK_CORPORA: no folder $(VOXPACK_CORPORA); tests with real speech are skipped)
endif
unexport VOXPACK_CORPORA
endif

# Without the folder of the checkout in the keys of Go's build cache, a fresh clone
# takes what another one has built.
export GOFLAGS := $(strip $(shell $(GO) env GOFLAGS) -trimpath)
# go test, and at the end what took long. A package has 30 minutes: cmd/voxpack takes
# 3 on two busy cores, and the 10 that go test gives are not enough on one slow core.
GOTEST := $(GO) run ./internal/testreport -timeout 30m

.DEFAULT_GOAL := help
.PHONY: help build demo quick test format vet unit lint cross race kernels python mel-peers tokenizer-peers suites trainers python-consumer wheel wheels proofs soak bench bench-scale bench-peers driver-names gpu-kit test-gpu fuzz mutants gpu-mutants clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

# What voxpack version says. A release is a tag; without one, and without git, the
# program says what the Go command knows.
VERSION ?= $(shell git describe --tags --match 'v[0-9]*' --abbrev=12 --dirty=+dirty 2>/dev/null)
COMMIT  ?= $(shell git describe --always --exclude '*' --abbrev=40 --dirty 2>/dev/null)
DATE    ?= $(shell git show -s --format=%cI HEAD 2>/dev/null)
RELEASE  = -X main.version=$(VERSION) -X main.commit=$(COMMIT) -X main.date=$(DATE)
BIN     ?= bin/voxpack

# pion/opus leaves it to the compiler whether it fuses products with sums, which Go does for arm64 and for
# GOAMD64=v3. Without that its bits are those of amd64. A program built in another way says in its keys what
# its decoder gives (docs/design/0126).
UNFUSED := -gcflags=github.com/pion/opus/...=-d=fmahash=qn
ifneq ($(shell $(GO) env GOARCH GOAMD64 | tr -d '\n'),amd64v1)
export GOFLAGS := $(strip $(GOFLAGS) $(UNFUSED))
endif

build: ## build bin/voxpack
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(RELEASE)' -o $(BIN) ./cmd/voxpack

demo: build ## compile the bundled corpus, edit a row, show what the edit cost, feed it
	@sh testdata/demo.sh bin/voxpack

# Three loops. quick is for every edit and test for every commit; race, kernels and
# what else .ci/run calls take half an hour and find what depends on the machine.
quick: format vet ## format, vet and the tests with -short: under 2 minutes on 2 cores
	$(GOTEST) -short ./...

test: lint unit cross ## format, tidy, vet, staticcheck, all tests, cross-compilation: under 5 minutes on 2 cores

# The format check by a second reader is a Go test that runs Python; go test does
# not print what it skips.
unit:
	@command -v python3 >/dev/null 2>&1 || \
		echo "NOTICE: no python3: the format check by a second reader is skipped"
	$(GOTEST) ./...

format:
	@unformatted=$$("$$($(GO) env GOROOT)/bin/gofmt" -l .) || exit 1; \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi

vet:
	$(GO) vet ./...

lint: format vet ## gofmt, go mod tidy, go vet, staticcheck
	$(GO) mod tidy -diff
	$(GO) tool staticcheck ./...

# go vet type-checks the test files too, which go build does not read.
cross:
	@set -e; for target in $(CROSS); do \
		echo "cross-compile and vet for $$target"; \
		CGO_ENABLED=0 GOOS=$${target%/*} GOARCH=$${target#*/} $(GO) build ./...; \
		CGO_ENABLED=0 GOOS=$${target%/*} GOARCH=$${target#*/} $(GO) vet ./...; \
	done; \
	echo "vet without GPUs (-tags nogpu), and without futexes and memory files (-tags portable)"; \
	CGO_ENABLED=0 $(GO) vet -tags nogpu ./...; \
	CGO_ENABLED=0 $(GO) vet -tags portable ./gpufeed/serve ./internal/memfile

race: ## the concurrent packages under the race detector
	@cc=$$($(GO) env CC); \
	if [ -z "$(RACE)" ]; then echo "race: no concurrent package in this tree"; \
	elif ! printf '#include <stdlib.h>\nint main(void) { return 0; }\n' | $$cc -x c -o /dev/null - >/dev/null 2>&1; then \
		echo "NOTICE: no working C compiler ($$cc): the race detector is skipped"; \
	else echo "CGO_ENABLED=1 $(GOTEST) -race -short $(RACE)"; \
		CGO_ENABLED=1 $(GOTEST) -race -short $(RACE); \
	fi

# The golden digests hold the vector code and the portable one to the same bits;
# here a compiler that may fuse products with sums must keep to them too.
SAMEBITS := -run 'Golden|VectorsAnd' -count=1
EMULATOR := $(shell command -v qemu-aarch64-static || command -v qemu-aarch64)
kernels: ## the same bits from a build for amd64 v3, and from arm64 under qemu-user
	VOXPACK_SAMEBITS=1 GOAMD64=v3 $(GOTEST) $(UNFUSED) $(SAMEBITS) ./audio ./audio/codec ./audio/resample ./compiler
	@if [ -z "$(EMULATOR)" ]; then echo "NOTICE: no qemu-aarch64: the bits of an arm64 build are not compared"; exit 0; fi; \
	set -e; dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	for package in audio audio/codec audio/resample compiler; do \
		CGO_ENABLED=0 GOARCH=arm64 $(GO) test $(UNFUSED) -c -o "$$dir/test" ./$$package; \
		echo "arm64 under qemu: $$package"; \
		(cd $$package && VOXPACK_SAMEBITS=1 "$(EMULATOR)" "$$dir/test" $(subst -count,-test.count,$(subst -run,-test.run,$(SAMEBITS)))); \
	done

# A suite of files is a script in testdata/suites; the README there tells more.
SUITES ?=
FAMILY ?= $(patsubst testdata/suites/%_requirements.txt,%,$(wildcard testdata/suites/*_requirements.txt))
suites: build ## other people's test suites, kept in docs/conformance.md (SUITES=clones instead of fetching, or packages; FAMILY=audio for one)
	python3 -m venv bin/venv-suites
	@set -e; failed=; for family in $(FAMILY); do \
		bin/venv-suites/bin/pip install -q --disable-pip-version-check -r testdata/suites/$${family}_requirements.txt; \
		SUITES="$(if $(filter packages,$(SUITES)),packages,$(abspath $(SUITES)))" PYTHONDONTWRITEBYTECODE=1 bin/venv-suites/bin/python testdata/suites/$$family.py || failed="$$failed $$family"; \
	done; test -z "$$failed" || { echo "suites:$$failed: see above"; exit 1; }

# One environment for both that need torch: it takes 4 GB.
VENV := bin/venv-frameworks
mel-peers: ## every mel variant beside torch, torchaudio and librosa, every preset beside its model's code (installs them into bin/venv-frameworks)
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install -q --disable-pip-version-check -r testdata/mel_requirements.txt
	$(VENV)/bin/pip install -q --disable-pip-version-check --no-deps -r testdata/preset_requirements.txt
	$(VENV)/bin/python testdata/mel_peers.py $(VOXPACK_CORPORA)
	$(VENV)/bin/python testdata/preset_peers.py $(VOXPACK_CORPORA)

tokenizer-peers: build ## ids of vocabularies beside those of tokenizers and sentencepiece (installs them into bin/venv-tokenizers)
	python3 -m venv bin/venv-tokenizers
	bin/venv-tokenizers/bin/pip install -q --disable-pip-version-check -r testdata/tokenizer_requirements.txt
	bin/venv-tokenizers/bin/python testdata/tokenizer_peers.py bin/voxpack

# Trainers of others, fed by voxpack: python/trainers/run.py. Their packages lie over those of $(VENV); what cannot be installed
# is left out with a notice. TRAINER names some of them.
# TRAINERS is a folder of clones, whose code is run in place of the packages', as TRAINERS=~/src for ~/src/Matcha-TTS.
TRAINER ?=
TRAINERS ?=
trainers: build ## trainers that others wrote, fed by voxpack, killed and resumed (installs them into bin/venv-trainers)
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install -q --disable-pip-version-check -r python/requirements-test.txt
	python3 -m venv bin/venv-trainers
	@for site in $(VENV)/lib/python3*/site-packages; do readlink -f $$site > bin/venv-trainers/lib/$$(basename $$(dirname $$site))/site-packages/frameworks.pth; done
	@install="bin/venv-trainers/bin/pip install -q --disable-pip-version-check --no-deps --no-build-isolation"; \
	$$install Cython==3.3.1; $$install -r python/trainers/requirements.txt || grep -v '^#' python/trainers/requirements.txt | xargs -n 1 $$install || \
		echo "NOTICE: not all packages of trainers can be had"
	TRAINERS=$(abspath $(TRAINERS)) VOXPACK=bin/voxpack PYTHONDONTWRITEBYTECODE=1 bin/venv-trainers/bin/python -W ignore python/trainers/run.py $(TRAINER)
	$(if $(TRAINER),,VOXPACK=bin/voxpack PYTHONDONTWRITEBYTECODE=1 bin/venv-trainers/bin/python -W ignore -m unittest discover -s python/tests -p test_models.py)

# KILLS: how often a test kills the feeder of a running training.
# VOXPACK_PYTHONS: further Pythons that the wheel is tried in, separated by ":".
# Each file of tests has a process of its own, since frameworks do not share one
# well; two at a time, since most of the time goes into importing them. What
# failed is said again at the end, where it is looked for.
KILLS ?= 200
PYTESTS ?= $(notdir $(wildcard python/tests/test_*.py))
python-consumer: build ## the Python package, with NumPy, torch, TensorFlow and JAX (installs them into bin/venv-frameworks)
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install -q --disable-pip-version-check -r python/requirements-test.txt
	@rm -rf bin/failed && mkdir bin/failed; printf '%s\n' $(PYTESTS) | \
	VOXPACK=bin/voxpack VOXPACK_KILLS=$(KILLS) PYTHONDONTWRITEBYTECODE=1 TF_CPP_MIN_LOG_LEVEL=3 xargs -P 2 -I{} sh -c \
		'said=$$($(VENV)/bin/python -W error -m unittest discover -s python/tests -p {} 2>&1) || echo "{}: $$said" > bin/failed/{}; echo "{}: $$said"'
	@test -z "$$(ls bin/failed)" || { echo "failed: $$(ls bin/failed | xargs)"; cat bin/failed/*; exit 1; }

# For Linux on x86-64 whatever this machine is; without debug information, which
# is a third of the program's size.
wheel: ## the Python package with the program inside, to python/dist
	CGO_ENABLED=0 GOOS=linux GOARCH=amd64 $(GO) build -trimpath -ldflags '-s -w $(RELEASE)' -o bin/wheel/voxpack ./cmd/voxpack
	rm -f python/dist/voxpack-*.whl
	python3 python/build_wheel.py --binary bin/wheel/voxpack --out python/dist

wheels: wheel ## the same for aarch64 and for macOS on arm64 too, and the source package of the Python part
	@set -e; number="$$(ls python/dist/*x86_64.whl | cut -d- -f2)"; for system in linux darwin; do \
		CGO_ENABLED=0 GOOS=$$system GOARCH=arm64 $(GO) build -trimpath -ldflags '-s -w $(RELEASE)' -o bin/wheel/$$system-arm64/voxpack ./cmd/voxpack; \
		python3 python/build_wheel.py --binary bin/wheel/$$system-arm64/voxpack --out python/dist --number "$$number"; \
	done
	rm -f python/dist/voxpack-*.tar.gz
	python3 python/build_wheel.py --sdist --out python/dist

# Without strace, which takes Linux, nothing is tried; SEED repeats a run.
STRACE := command -v strace >/dev/null 2>&1 || { echo "NOTICE: no strace: no kills at system calls, no faults"; exit 0; }
SEED   ?=
proofs: build ## kills, faults, lack of room and damage in short, each part of make soak: under 5 minutes on 2 cores
	@$(STRACE); $(GO) run ./bench/reliability -program bin/voxpack -kills 60 -faults 40 -limits 1 -every 150 -flips 200 -harms 10 -seconds 5 -rows 0 -minutes 4 $(if $(SEED),-seed $(SEED))

soak: build ## SOAK=1000 random edit sequences, each against a clean build; then all of make proofs at length, kept in docs/reliability.md
	VOXPACK_SOAK=$(SOAK) $(GO) test -count=1 -timeout 0 -v -run Soak ./...
	@$(STRACE); echo "$(GO) run ./bench/reliability -program bin/voxpack -out docs/reliability.md"; \
		$(GO) run ./bench/reliability -program bin/voxpack -out docs/reliability.md $(if $(SEED),-seed $(SEED))

bench: ## the kernels, text of every language, what a rebuild of 13,100 rows costs, how fast they are fed, then all Go benchmarks
	$(GO) run ./bench/text
	$(GO) run ./bench/rebuild
	$(GO) run ./bench/feed
	$(GO) test -run '^$$' -bench . -benchmem ./...

# ROWS=100000: fewer rows; a million take 15 minutes on two cores and 10 GB of TMPDIR
ROWS ?= 1000000
bench-scale: ## what ROWS rows of short clips cost: memory, processor time and bytes beside their limits
	$(GO) run ./bench/scale -n $(ROWS)

# clips of 16 bits that the resamplers convert
CLIPS := $(firstword $(wildcard $(VOXPACK_CORPORA)/ljspeech-32/wavs) testdata/corpus/en/wavs)
bench-peers: ## mels, texts, whole compiles, training loops, resampling and the feed beside those of Python, kept in bench/RESULTS.md (TORCH=no: without torch)
	python3 bench/peers/venv.py bin/venv
	bin/venv/bin/python bench/peers/results.py $(RESULTS)
	{ printf '\n## Resampling beside soxr\n\n'; bin/venv/bin/python bench/peers/resample.py $(CLIPS); } >> bench/RESULTS.md
	bin/venv/bin/python bench/peers/decoders.py $(patsubst %/wavs,%,$(CLIPS)) --out bench/RESULTS.md
	bin/venv/bin/python bench/peers/peers.py $(PEERS)

# drivers.sh ends with 3 where there is nothing to look at.
driver-names: ## the functions that are bound, in NVIDIA's libraries of three versions (fetches Debian's packages)
	@bash gpufeed/cuda/testdata/drivers.sh $(abspath bin/drivers) || { [ $$? -eq 3 ] && exit 0; exit 1; }; \
	VOXPACK_DRIVERS=$(abspath bin/drivers) $(GOTEST) -count=1 -run RealDrivers ./gpufeed/cuda

# GPUPYTHON: the Python of the machine with the GPU, where its packages have to be carried too.
GPUPYTHON ?= $(shell python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
gpu-kit: ## what make test-gpu needs on a machine without Go or packages, to bin/gpu-kit: under 44 MB, which beside the checkout is 64
	rm -rf bin/gpu-kit && mkdir -p bin/gpu-kit
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w $(RELEASE)' -o bin/gpu-kit/voxpack ./cmd/voxpack
	CGO_ENABLED=0 $(GO) test -c -ldflags '-s -w' -o bin/gpu-kit/cuda.test ./gpufeed/cuda
	python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: --python-version $(GPUPYTHON) -d bin/gpu-kit numpy apache-tvm-ffi || \
		echo "NOTICE: no packages for Python $(GPUPYTHON): those of the other machine have to do"
	gzip -9 bin/gpu-kit/voxpack bin/gpu-kit/cuda.test
	@du -sm bin/gpu-kit | awk '{ print "bin/gpu-kit: " $$1 " MB"; exit $$1 > 44 }'

test-gpu: build ## the checks on a real GPU in under 10 minutes, kept in bench/RESULTS-gpu.md; says so where there is none
	CGO_ENABLED=0 $(GO) test -c -o bin/cuda.test ./gpufeed/cuda
	python3 bench/gpu/test_gpu.py --voxpack bin/voxpack --out bench/RESULTS-gpu.md $(GPU)

# Two at a time with one worker each: building a target for fuzzing takes as long
# as fuzzing it for 10 s, and does not fill two cores. A target whose time ends
# within a call fails with "context deadline exceeded" and no input that fails,
# which is a fault of the tool and no finding: that failure is not shown as one.
# Making an interesting input smaller takes a minute each, of inputs of kilobytes all of the time: 8 calls in 12 s instead of 64,041.
# FUZZ takes some of the targets: .ci/turn for those whose turn it is.
FUZZ ?= cat
fuzz: ## every fuzz target for FUZZTIME (60s)
	@targets=$$(grep -rn '^func Fuzz' --include='*_test.go' . | sort | \
		sed 's|^\(.*\)/[^/]*_test\.go:[0-9]*:func \(Fuzz[A-Za-z0-9_]*\).*|\1 \2|' | $(FUZZ)) || exit 1; \
	echo "$$targets" | xargs -P 2 -L 1 sh -c 'echo "fuzz $$0 $$1 for $(FUZZTIME)"; \
		said=$$($(GO) test -run none -fuzz "^$$1\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x -parallel 1 "$$0" </dev/null 2>&1); rc=$$?; \
		case "$$said" in *"Failing input"*|*panic*) ;; *"context deadline exceeded"*) \
			rc=0; said=$$(echo "$$said" | sed "/^--- FAIL/,\$$d"; echo "no finding in $$0 $$1: its time ended within a call");; esac; \
		echo "$$said"; exit $$rc'

# Hours: the tests of a package for each mutant. MUTANTS='--short --only store' for a part.
MUTANTS ?=
mutants: ## break one thing at a time, by testdata/mutants/mutants.tsv, and say which breaks no test notices
	python3 testdata/mutants/run.py $(MUTANTS)

gpu-mutants: build ## the faults of bench/gpu/testdata/mutants.tsv, each of which has to turn make test-gpu red over the fake driver
	VOXPACK=bin/voxpack VOXPACK_GPU_MUTANTS=all PYTHONDONTWRITEBYTECODE=1 $(VENV)/bin/python -W error -m unittest discover -s python/tests -p test_gpurun.py

clean: ## remove what make wrote
	rm -rf bin python/dist
	rm -f *.test *.out *.prof coverage.*
