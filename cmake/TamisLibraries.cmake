# libtamis.so and libtamis.a.
#
# Both are made from one relocatable object in which every global symbol but tms_* has been made local, so neither
# can clash with a program's own names. In a CUDA build that object also holds what it needs of the static CUDA
# runtime: a program links libtamis without the CUDA toolkit, and may use another CUDA runtime beside it.
#
# --force-group-allocation dissolves COMDAT groups first: a local symbol in a group that the final link drops in
# favour of the program's copy would be left dangling.
if(TAMIS_SANITIZE OR TAMIS_FUZZ)
  set(tamis_library_objects $<TARGET_OBJECTS:tamis_internal> $<TARGET_OBJECTS:tamis_shared>)
else()
  set(tamis_object "${CMAKE_CURRENT_BINARY_DIR}/libtamis.o")
  set(tamis_runtime "")
  if(tamis_with_cuda)
    set(tamis_runtime $<TARGET_FILE:CUDA::cudart_static>)
  endif()
  add_custom_command(OUTPUT "${tamis_object}"
    COMMAND "${CMAKE_LINKER}" -r --force-group-allocation -o "${tamis_object}.all"
      $<TARGET_OBJECTS:tamis_internal> $<TARGET_OBJECTS:tamis_shared> ${tamis_runtime}
    COMMAND "${CMAKE_OBJCOPY}" --wildcard "--keep-global-symbol=tms_*" "${tamis_object}.all" "${tamis_object}"
    COMMAND "${CMAKE_COMMAND}" -E rm -f "${tamis_object}.all"
    DEPENDS tamis_internal $<TARGET_OBJECTS:tamis_internal> $<TARGET_OBJECTS:tamis_shared>
    COMMENT "Linking libtamis.o with only tms_* global" COMMAND_EXPAND_LISTS VERBATIM)
  set_source_files_properties("${tamis_object}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  # One rule makes the object; two libraries that named it as a source would each run it, at the same time.
  add_custom_target(tamis_object DEPENDS "${tamis_object}")
  set(tamis_library_objects "${tamis_object}")
endif()

# Libraries that a program with libtamis.a has to link too, by name for pkg-config.
set(tamis_private_names pthread m)
if(tamis_with_cuda)
  list(APPEND tamis_private_names stdc++ dl rt)
endif()
list(REMOVE_DUPLICATES tamis_private_names)

add_library(tamis SHARED ${tamis_library_objects})
add_library(tamis_static STATIC ${tamis_library_objects})
if(PROJECT_VERSION_MAJOR EQUAL 0) # a minor version may break what was: context.h says what will not be broken later
  set(tamis_soversion 0.${PROJECT_VERSION_MINOR})
else()
  set(tamis_soversion ${PROJECT_VERSION_MAJOR})
endif()
set_target_properties(tamis PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${tamis_soversion})
set_target_properties(tamis_static PROPERTIES OUTPUT_NAME tamis EXPORT_NAME tamis_static)
foreach(library tamis tamis_static)
  set_target_properties(${library} PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(${library} PUBLIC
    "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(${library} PRIVATE Threads::Threads m)
  if(tamis_with_cuda)
    target_link_libraries(${library} PRIVATE stdc++ dl rt)
  endif()
  if(TARGET tamis_object)
    add_dependencies(${library} tamis_object)
  endif()
  if(tamis_sanitize_flags)
    target_link_options(${library} PUBLIC ${tamis_sanitize_flags})
  endif()
endforeach()
target_link_options(tamis PRIVATE -Wl,--as-needed -Wl,--exclude-libs,ALL -Wl,-z,defs)
if(tamis_sanitize_flags)
  set_target_properties(tamis PROPERTIES EXCLUDE_FROM_ALL ON) # -z defs and sanitizer run-times do not go together
endif()
