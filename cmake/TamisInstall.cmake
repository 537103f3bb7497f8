# cmake --install: the command and its tables, headers, both libraries, tamis.pc, the CMake package, the manual pages, completions of shells, profiles, the pages of
# doc/, the examples, the licence. Each file is in one of three components, which are the Debian packages (TamisPackage.cmake): command, library,
# development.
include(CMakePackageConfigHelpers)

# First of all, so that a build of the command alone (./dev demo) does not leave half an installation.
if(NOT tamis_sanitize_flags)
  install(CODE "
    if(NOT EXISTS \"$<TARGET_FILE:tamis>\")
      message(FATAL_ERROR \"not all of tamis is built here; nothing was installed. Run ./dev build first\")
    endif()")
endif()

if(TARGET tamis_command)
  install(TARGETS tamis_command RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT command)
  include(TamisData) # share/tamis
  include(TamisLinks) # libexec/tamis/bin
endif()
install(DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/include/tamis" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

if(NOT tamis_sanitize_flags)
  install(TARGETS tamis tamis_static EXPORT tamisTargets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT development
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)

  set(tamis_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tamis")
  install(EXPORT tamisTargets NAMESPACE tamis:: DESTINATION "${tamis_package_dir}" COMPONENT development)
  configure_package_config_file(cmake/tamisConfig.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/tamisConfig.cmake"
    INSTALL_DESTINATION "${tamis_package_dir}")
  write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/tamisConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/tamisConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/tamisConfigVersion.cmake"
    DESTINATION "${tamis_package_dir}" COMPONENT development)

  list(TRANSFORM tamis_private_names PREPEND "-l" OUTPUT_VARIABLE tamis_pc_private)
  string(JOIN " " tamis_pc_private ${tamis_pc_private})
  # pcfiledir is lib/pkgconfig: the installed tree can be moved.
  file(RELATIVE_PATH tamis_pc_prefix "/x/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/x")
  configure_file(cmake/tamis.pc.in "${CMAKE_CURRENT_BINARY_DIR}/tamis.pc" @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/tamis.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
endif()

find_program(TAMIS_SCDOC scdoc)
mark_as_advanced(TAMIS_SCDOC)
file(GLOB tamis_pages CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/doc/man/*.scd")
if(TAMIS_SCDOC AND tamis_pages)
  set(tamis_manuals "")
  foreach(page IN LISTS tamis_pages)
    get_filename_component(name "${page}" NAME_WLE) # tamis-build.1
    set(manual "${CMAKE_CURRENT_BINARY_DIR}/man/${name}")
    add_custom_command(OUTPUT "${manual}"
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${CMAKE_CURRENT_BINARY_DIR}/man"
      COMMAND sed "1s/$/ \"tamis ${PROJECT_VERSION}\"/" "${page}" | "${TAMIS_SCDOC}" > "${manual}"
      DEPENDS "${page}" "${CMAKE_CURRENT_SOURCE_DIR}/VERSION" COMMENT "Formatting ${name}" VERBATIM)
    list(APPEND tamis_manuals "${manual}")
  endforeach()
  add_custom_target(tamis_man ALL DEPENDS ${tamis_manuals})
  install(FILES ${tamis_manuals} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT command)
endif()

# What the command finds beside itself: cli/data_files.h.
file(GLOB tamis_profiles CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/share/tamis/profiles/*.json")
install(FILES ${tamis_profiles} DESTINATION "${CMAKE_INSTALL_DATADIR}/tamis/profiles" COMPONENT command)
install(FILES share/tamis/workflow/Snakefile share/tamis/workflow/config.yaml DESTINATION "${CMAKE_INSTALL_DATADIR}/tamis/workflow" COMPONENT command)
install(PROGRAMS share/tamis/workflow/tamis-array.sh DESTINATION "${CMAKE_INSTALL_DATADIR}/tamis/workflow" COMPONENT command)

file(GLOB tamis_doc_pages CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/doc/*.md")
install(FILES README.md CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT command)
install(FILES ${tamis_doc_pages} DESTINATION "${CMAKE_INSTALL_DOCDIR}/doc" COMPONENT command)
install(DIRECTORY examples DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT command PATTERN CMakeLists.txt EXCLUDE)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright COMPONENT command) # Debian's name of it
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libtamis${tamis_soversion}" RENAME copyright COMPONENT library EXCLUDE_FROM_ALL)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libtamis-dev" RENAME copyright COMPONENT development EXCLUDE_FROM_ALL)

# Completions of shells: the command makes them from its tables of options.
if(TARGET tamis_command AND NOT tamis_sanitize_flags AND (NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR))
  set(tamis_completions "")
  foreach(entry IN ITEMS "bash bash-completion/completions tamis" "zsh zsh/site-functions _tamis"
                         "fish fish/vendor_completions.d tamis.fish")
    separate_arguments(entry)
    list(GET entry 0 shell)
    list(GET entry 1 directory)
    list(GET entry 2 name)
    set(completion "${CMAKE_CURRENT_BINARY_DIR}/completion/${directory}/${name}")
    get_filename_component(directory_path "${completion}" DIRECTORY)
    file(MAKE_DIRECTORY "${directory_path}")
    add_custom_command(OUTPUT "${completion}" COMMAND tamis_command generate ${shell} > "${completion}"
      DEPENDS tamis_command COMMENT "Completion for ${shell}" VERBATIM)
    list(APPEND tamis_completions "${completion}")
    install(FILES "${completion}" DESTINATION "${CMAKE_INSTALL_DATADIR}/${directory}" COMPONENT command)
  endforeach()
  add_custom_target(tamis_completion ALL DEPENDS ${tamis_completions})
endif()

# Last of all; not for a package, whose own system sees to that.
if(NOT tamis_sanitize_flags)
  install(CODE "
    if(NOT CMAKE_INSTALL_COMPONENT AND \"\$ENV{DESTDIR}\" STREQUAL \"\")
      set(tamis_lib \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}\")
      message(STATUS \"tamis: the command needs nothing else. A program finds libtamis.so by -Wl,-rpath,\${tamis_lib} when it is linked;\")
      message(STATUS \"tamis: where \${tamis_lib} is in /etc/ld.so.conf, as /usr/local/lib is, it finds it after ldconfig (as root)\")
    endif()")
endif()
