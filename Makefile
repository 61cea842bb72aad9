# The few things that people do with a checkout; all of the work is CMake's. `./run GOAL` does the
# same on a machine without make.

BUILD ?= build
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local

help:
	@echo 'make demo     install what is missing, build, and show the main job on small clusters'
	@echo 'make test     install what is missing, build, and run all tests'
	@echo 'make build    build/devledger and both libraries'
	@echo 'make install  into PREFIX ($(PREFIX)), below DESTDIR if that is set'
	@echo 'make bench    measure import, decisions and allocation'
	@echo 'make lint     check form and find faults without running: clang-format, clang-tidy, cppcheck …'
	@echo 'make deps     only install what is missing'
	@echo 'make clean    remove $(BUILD)'

deps:
	@sh tools/deps.sh build

build: deps
	cmake -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DDVL_TESTS=OFF
	cmake --build $(BUILD) --parallel $(JOBS)

demo: build
	sh examples/demo.sh $(BUILD)/devledger

test:
	@sh tools/deps.sh test
	cmake -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DDVL_TESTS=ON
	cmake --build $(BUILD) --parallel $(JOBS)
	@sh tools/ctest.sh $(BUILD) --parallel $(JOBS)

bench:
	@sh tools/deps.sh test
	cmake -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DDVL_TESTS=ON
	cmake --build $(BUILD) --parallel $(JOBS) --target bench
	$(BUILD)/tests/bench

install: build
	cmake --install $(BUILD)

lint:
	@sh tools/deps.sh lint
	sh tools/lint.sh

clean:
	rm -rf $(BUILD)

.PHONY: help deps build demo test bench install lint clean
