# share/tamis/model: kept measurements, which `tamis model plot` draws. Each line is a table below bench/results/ and the name that it gets;
# tables that have not been measured yet are left out. In the build tree they are links beside the command; cli/data_files.c finds them in
# both places.
foreach(entry IN ITEMS
    "h200/bank.tsv bank.tsv"
    "h100/bank.tsv bank_second.tsv"
    "h200/model_sweeps.tsv model_sweeps.tsv"
    "h200/ong_1e7.tsv ong_1e7.tsv"
    "h200/rows.tsv rows.tsv"
    "h200/thesis.tsv thesis.tsv"
    "h200/words.tsv words.tsv"
    "epyc-2core/model_sweeps_cpu.tsv model_sweeps_cpu.tsv"
    "epyc-2core/dna_fpr.tsv dna_fpr.tsv"
    "epyc-2core/blastn_profile.tsv blastn_profile.tsv"
    "h200/blastn_bank.tsv blastn_bank.tsv")
  separate_arguments(entry)
  list(GET entry 0 table)
  list(GET entry 1 name)
  set(source "${CMAKE_CURRENT_SOURCE_DIR}/bench/results/${table}")
  if(EXISTS "${source}")
    file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/share/tamis/model")
    file(CREATE_LINK "${source}" "${CMAKE_CURRENT_BINARY_DIR}/share/tamis/model/${name}" SYMBOLIC)
    install(FILES "${source}" DESTINATION "${CMAKE_INSTALL_DATADIR}/tamis/model" RENAME "${name}" COMPONENT command)
  endif()
endforeach()
