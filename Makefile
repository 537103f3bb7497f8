# Habit's front door: the work is in ./dev and CMakeLists.txt.
PREFIX ?= /usr/local

all:
	./dev build
check:
	./dev check
bench:
	./dev bench
install: all
	cmake --install $${TAMIS_BUILD:-build/release} --prefix "$(DESTDIR)$(PREFIX)"
clean:
	./dev clean

.PHONY: all check bench install clean
