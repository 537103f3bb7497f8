# share/tamis/model: kept measurements, which `tamis model plot` draws: tables of bench/results/. In the build tree they are links beside
# the command; cli/data_files.c finds them in both places.
foreach(table IN ITEMS h200/bank.tsv h200/ong_1e7.tsv h200/rows.tsv h200/thesis.tsv h200/words.tsv xeon-2core/fpr_human41_chr3.tsv)
  get_filename_component(name "${table}" NAME)
  set(source "${CMAKE_CURRENT_SOURCE_DIR}/bench/results/${table}")
  file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/share/tamis/model")
  file(CREATE_LINK "${source}" "${CMAKE_CURRENT_BINARY_DIR}/share/tamis/model/${name}" SYMBOLIC)
  install(FILES "${source}" DESTINATION "${CMAKE_INSTALL_DATADIR}/tamis/model")
endforeach()
file(RELATIVE_PATH tamis_share_from_bin "/x/${CMAKE_INSTALL_BINDIR}" "/x/${CMAKE_INSTALL_DATADIR}/tamis")
target_compile_definitions(tamis_command PRIVATE "TAMIS_SHARE_FROM_BIN=\"${tamis_share_from_bin}\"")
