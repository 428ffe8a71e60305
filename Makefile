# The short commands. Each installs what it needs first (scripts/setup), so that nothing else has to be known.
JOBS ?= $(shell nproc)
DLL := build-windows/bin/marrow.dll
# The interpreter that has Debian's packages; another one may come first in PATH.
DEBIAN_PYTHON := $(or $(wildcard /usr/bin/python3),python3)

.PHONY: help build demo viewer windows python blender package docs test test-all test-viewer test-blender test-package test-windows bench bench-peers plots fuzz torture asan tidy format clean

help:            ## this list
	@sed -n 's/^\([a-z-]*\): *## */  make \1	/p;s/^\([a-z-]*\):[^#]*## */  make \1	/p' Makefile | sort -u | expand -t 16

build:           ## the program, as build/bin/marrow
	@scripts/setup build
	cmake --preset release -DMARROW_BUILD_TESTS=OFF
	cmake --build build -j $(JOBS)

demo: build      ## build, and show the main jobs on sample files that the project makes
	@if command -v npm >/dev/null; then scripts/setup wasm || true; fi
	@scripts/viewer --if-possible build/share/marrow/viewer.html $(JOBS)
	@scripts/demo build/bin/marrow build/demo

viewer: build    ## the page that shows files in a browser, as build/share/marrow/viewer.html
	@scripts/setup build wasm viewer
	@scripts/viewer build/share/marrow/viewer.html $(JOBS)

windows:         ## marrow.exe and marrow.dll, cross-built, in build-windows/bin
	@scripts/setup build windows
	cmake --preset windows
	cmake --build build-windows -j $(JOBS) --target marrow_cli marrow_shared

python:          ## the Python package as a wheel, in build/wheel (and for Windows after `make windows`)
	@scripts/setup build
	cmake --preset release
	cmake --build build -j $(JOBS) --target marrow_cli marrow_shared
	scripts/make_python_operations.py build/lib/libmarrow.so
	scripts/make_wheel.py --library build/lib/libmarrow.so --program build/bin/marrow --output build/wheel
	@if [ -f $(DLL) ]; then scripts/make_wheel.py --library $(DLL) --program build-windows/bin/marrow.exe --output build/wheel; \
	  else echo "There is no $(DLL) (make windows): the wheel is for Linux only"; fi

blender:         ## the Blender add-on as build/blender/marrow-blender.zip, with the library (and the DLL if there is one)
	@scripts/setup build
	cmake --preset release
	cmake --build build -j $(JOBS) --target marrow_shared
	scripts/make_python_operations.py build/lib/libmarrow.so
	@[ -f $(DLL) ] || echo "There is no $(DLL) (make windows): the zip is for Linux only"
	scripts/make_blender_addon.py $(addprefix --library ,build/lib/libmarrow.so $(wildcard $(DLL))) --output build/blender/marrow-blender.zip

test-blender: blender ## the add-on in Blender 4.3 and 5.2, in chroots that are made once (1 GB each, needs root)
	@scripts/setup build test chroot
	cmake --build build -j $(JOBS) --target marrow_cli write_bodies
	@scripts/test_blender build

package:         ## .deb, .tar.gz, .zip for Windows, wheel, Blender add-on and viewer page, in build-package/packages
	@scripts/setup build package windows wasm viewer
	cmake --preset package
	cmake --build build-package -j $(JOBS)
	cmake --preset windows
	cmake --build build-windows -j $(JOBS) --target marrow_cli marrow_shared
	@scripts/viewer build-package/share/marrow/viewer.html $(JOBS) build-package || echo "Without npm's packages, those of Marrow have no viewer page"
	@scripts/make_packages.py --build build-package --output build-package/packages --windows build-windows \
	  --page build-package/share/marrow/viewer.html

test-package: package ## lintian, the .deb in a clean chroot, the .zip under wine, and a second build that must give the same bytes (needs root)
	@scripts/setup wine
	@scripts/test_package build-package

docs:            ## the documentation as one static site, in build-docs
	@scripts/setup build docs
	@$(DEBIAN_PYTHON) scripts/make_docs.py build-docs

test:            ## build and run every test, those of the viewer's page too
	@scripts/setup build test wasm viewer
	cmake --preset release -DMARROW_BUILD_TESTS=ON -DMARROW_TEST_ALL=OFF
	cmake --build build -j $(JOBS)
	@scripts/viewer --if-possible build/share/marrow/viewer.html $(JOBS)
	ctest --test-dir build --output-on-failure -j $(JOBS)

test-all:        ## every test of `make test`, those that take long and seldom fail, and the unit tests by clang
	@scripts/setup build test clang
	cmake --preset release -DMARROW_BUILD_TESTS=ON -DMARROW_TEST_ALL=ON
	cmake --build build -j $(JOBS)
	ctest --test-dir build --output-on-failure -j $(JOBS)
	cmake --preset clang
	cmake --build build-clang -j $(JOBS) --target marrow_cli unit_tests
	ctest --test-dir build-clang --output-on-failure -j $(JOBS) -R '^unit_'

test-viewer:     ## the viewer's page, and its tests in Chromium alone
	@scripts/setup build test wasm viewer
	cmake --preset release -DMARROW_BUILD_TESTS=ON
	cmake --build build -j $(JOBS)
	@scripts/viewer build/share/marrow/viewer.html $(JOBS)
	ctest --test-dir build --output-on-failure -R e2e_viewer

test-windows:    ## cross-build for Windows, and run every test that can under wine (`make test` then runs some, too)
	@scripts/setup build test windows wine
	cmake --preset release -DMARROW_BUILD_TESTS=ON
	cmake --build build -j $(JOBS) --target marrow_cli marrow_shared example_walk_cycle
	cmake --preset windows -DMARROW_BUILD_TESTS=ON -DMARROW_BUILD_EXAMPLES=ON
	cmake --build build-windows -j $(JOBS)
	@scripts/test_windows $(JOBS)

bench:           ## ratios and figures, printed (see bench/RESULTS.md)
	@scripts/setup build bench
	cmake --preset bench
	cmake --build build-bench -j $(JOBS)
	@scripts/bench build-bench

bench-peers:     ## sampling beside ozz-animation and ACL, built from OZZ=DIR ACL=DIR RTM=DIR
	@scripts/setup build bench
	cmake --preset bench -DMARROW_OZZ_DIR=$(abspath $(OZZ)) -DMARROW_ACL_DIR=$(abspath $(ACL)) -DMARROW_RTM_DIR=$(abspath $(RTM))
	cmake --build build-bench -j $(JOBS) --target bench_peers
	@build-bench/bin/bench_peers

plots:           ## the plots of docs/modifiers, from the examples on its pages
	@scripts/setup build
	cmake --preset release
	cmake --build build -j $(JOBS) --target example_draw_responses
	build/bin/example_draw_responses docs/modifiers docs/modifiers/plots

asan:            ## every test under clang's address and undefined-behaviour sanitizers
	@scripts/setup build test clang
	cmake --preset asan
	cmake --build build-asan -j $(JOBS)
	ctest --test-dir build-asan --output-on-failure -j $(JOBS)

fuzz:            ## each fuzz target for a minute, or until 10,000,000 executions in all (SECONDS_EACH=60)
	@scripts/setup build clang
	cmake --preset asan
	cmake --build build-asan -j $(JOBS) --target fuzz_targets
	@scripts/fuzz build-asan $${SECONDS_EACH:-60}

torture:         ## every verb on damaged files, under sanitizers; run again to go on (SECONDS_EACH=600)
	@scripts/setup build clang
	cmake --preset asan
	cmake --build build-asan -j $(JOBS) --target marrow_cli
	@scripts/torture.py build-asan/bin/marrow build-asan/torture --seconds $${SECONDS_EACH:-600}

tidy:            ## clang-tidy over the sources
	@scripts/setup build clang
	cmake --preset release
	run-clang-tidy-19 -quiet -p build '(src|cli)/.*\.cpp$$'

format:          ## clang-format over the sources
	@scripts/setup clang
	@scripts/format

clean:           ## remove what was built
	rm -rf build build-*
