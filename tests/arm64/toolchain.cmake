# A 64-bit ARM build on another machine, whose tests run under qemu-user. tests/arm64/sysroot.sh makes TAMIS_SYSROOT.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TAMIS_SYSROOT)

# libc is the cross compiler's own, in /usr/aarch64-linux-gnu; what else is needed is in the sysroot.
set(tamis_sysroot_libraries "${TAMIS_SYSROOT}/usr/lib/aarch64-linux-gnu")
set(CMAKE_C_FLAGS_INIT "-isystem ${TAMIS_SYSROOT}/usr/include")
foreach(kind EXE SHARED)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-L${tamis_sysroot_libraries} -Wl,-rpath-link,${tamis_sysroot_libraries}")
endforeach()
set(CMAKE_FIND_ROOT_PATH "${TAMIS_SYSROOT}" /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(ENV{PKG_CONFIG_DIR} "")
set(ENV{PKG_CONFIG_LIBDIR} "${tamis_sysroot_libraries}/pkgconfig:${TAMIS_SYSROOT}/usr/share/pkgconfig")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${TAMIS_SYSROOT}")
set(CMAKE_CROSSCOMPILING_EMULATOR
  qemu-aarch64 -L /usr/aarch64-linux-gnu -E "LD_LIBRARY_PATH=${tamis_sysroot_libraries}")
