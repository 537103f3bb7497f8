# tamis_embed_text(OUT FILE NAME): C source OUT with the constant NAME, the text of FILE.
#
# The same file is the script that a build runs: cmake -DFILE=... -DOUT=... -DNAME=... -DHEADER=... -P TamisText.cmake
set(tamis_text_script "${CMAKE_CURRENT_LIST_FILE}")
function(tamis_embed_text file name header sources)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/text/${name}.c")
  add_custom_command(OUTPUT "${out}"
    COMMAND "${CMAKE_COMMAND}" -DFILE=${CMAKE_CURRENT_SOURCE_DIR}/${file} -DOUT=${out} -DNAME=${name} -DHEADER=${header} -P "${tamis_text_script}"
    DEPENDS "${file}" "${tamis_text_script}" VERBATIM)
  list(APPEND ${sources} "${out}")
  set(${sources} "${${sources}}" PARENT_SCOPE)
endfunction()

if(DEFINED FILE)
  file(READ "${FILE}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
  file(WRITE "${OUT}" "#include \"${HEADER}\"\n\nconst char ${NAME}[] = {\n${bytes}0x00};\n")
endif()
