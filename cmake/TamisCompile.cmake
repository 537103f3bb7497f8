# tamis_compile_flags(target): the flags that all of tamis is compiled with. No -march: code for newer processors
# lives in files of its own and is chosen at run time.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# A compiler cache, where there is one and CMAKE_C_COMPILER_LAUNCHER or CMAKE_CUDA_COMPILER_LAUNCHER does not say otherwise (empty: none).
# Paths below the source directory are relative in ccache's sums, so that another clone has the same ones. What nvcc's preprocessor prints
# is the code of one architecture, in which ccache does not see a change of the others' or of the host's: it compares the files instead.
find_program(TAMIS_COMPILER_CACHE NAMES ccache sccache)
mark_as_advanced(TAMIS_COMPILER_CACHE)
if(TAMIS_COMPILER_CACHE)
  set(tamis_launcher "${TAMIS_COMPILER_CACHE}")
  set(tamis_cuda_launcher "${TAMIS_COMPILER_CACHE}")
  if(TAMIS_COMPILER_CACHE MATCHES "ccache$" AND NOT TAMIS_COMPILER_CACHE MATCHES "sccache$")
    set(tamis_launcher env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" "${TAMIS_COMPILER_CACHE}")
    set(tamis_cuda_launcher env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_DEPEND=1 "${TAMIS_COMPILER_CACHE}")
  endif()
  if(NOT DEFINED CMAKE_C_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER ${tamis_launcher})
  endif()
  if(NOT DEFINED CMAKE_CUDA_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${tamis_cuda_launcher})
  endif()
endif()

if(TAMIS_SANITIZE STREQUAL "address")
  set(tamis_sanitize_flags -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
elseif(TAMIS_SANITIZE STREQUAL "thread")
  set(tamis_sanitize_flags -fsanitize=thread -fno-omit-frame-pointer)
elseif(TAMIS_SANITIZE)
  message(FATAL_ERROR "TAMIS_SANITIZE is '${TAMIS_SANITIZE}'; it can be empty, address or thread")
endif()
if(TAMIS_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "TAMIS_FUZZ needs clang: configure with -DCMAKE_C_COMPILER=clang")
  endif()
  list(APPEND tamis_sanitize_flags -fsanitize=fuzzer-no-link)
endif()

# What an initializer leaves out is zero, and in tamis that means "not given".
set(tamis_c_warnings -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-missing-field-initializers)
# GNU-unique symbols cannot be made local, and they would keep libtamis.so from being unloaded.
set(tamis_cuda_flags -Xcompiler=-Wall,-Wextra,-Wno-missing-field-initializers,-fno-gnu-unique)
# GPU code is most of a library that has it. CUDA 13 can make it a third to a seventh of its size, for drivers that its runtime needs anyway.
if(tamis_with_cuda AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  list(APPEND tamis_cuda_flags --compress-mode=size)
endif()
if(TAMIS_WERROR)
  list(APPEND tamis_c_warnings -Werror)
  list(APPEND tamis_cuda_flags --Werror=all-warnings -Xcompiler=-Werror)
endif()

function(tamis_compile_flags target)
  set_target_properties(${target} PROPERTIES
    C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden
    CXX_STANDARD 17 CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON CUDA_VISIBILITY_PRESET hidden)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:C>:${tamis_c_warnings}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:${tamis_cuda_flags}>")
  if(tamis_sanitize_flags)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:C>:${tamis_sanitize_flags}>")
    target_link_options(${target} PUBLIC ${tamis_sanitize_flags})
  endif()
endfunction()
