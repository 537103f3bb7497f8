# Habit's front door: the work is in ./dev and CMakeLists.txt.
PREFIX ?= /usr/local

all:
	./dev build
check:
	./dev check
bench:
	./dev bench
install: all # cmake puts $DESTDIR, from the environment, before the prefix
	DESTDIR="$(DESTDIR)" cmake --install "$${TAMIS_BUILD:-build/release}" --prefix "$(PREFIX)"
	cp "$${TAMIS_BUILD:-build/release}/install_manifest.txt" "$${TAMIS_BUILD:-build/release}/installed.txt"
uninstall: # what the last `make install` put there
	DESTDIR="$(DESTDIR)" ./dev uninstall
clean:
	./dev clean

.PHONY: all check bench install uninstall clean
