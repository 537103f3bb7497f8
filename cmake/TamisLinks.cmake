# Links to the command by the names of BLAST+'s programs (cli/blast_names.c), in a folder of their own: libexec/tamis/bin where it is
# installed, and below the build directory. They are relative: the installed tree can be moved.
set(tamis_link_names blastn blastp blastx tblastn tblastx makeblastdb blastdbcmd segmasker dustmasker)
file(RELATIVE_PATH tamis_bin_from_links "${CMAKE_INSTALL_FULL_LIBEXECDIR}/tamis/bin" "${CMAKE_INSTALL_FULL_BINDIR}")
set(tamis_built_links "${CMAKE_CURRENT_BINARY_DIR}/libexec/tamis/bin")
set(tamis_installed_links "${CMAKE_CURRENT_BINARY_DIR}/installed_links") # these lead nowhere until they are installed
file(MAKE_DIRECTORY "${tamis_built_links}" "${tamis_installed_links}")
foreach(name IN LISTS tamis_link_names)
  file(CREATE_LINK ../../../tamis "${tamis_built_links}/${name}" SYMBOLIC)
  file(CREATE_LINK "${tamis_bin_from_links}/tamis" "${tamis_installed_links}/${name}" SYMBOLIC)
endforeach()
install(DIRECTORY "${tamis_installed_links}/" DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/tamis/bin" COMPONENT command)
