# cpack -G DEB: one Debian package of all that is installed. The packages that it needs are found by dpkg-shlibdeps.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tamis)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "screens sequences and strings: BLAST protein search, reads, Bloom filters")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "A command, on CPU threads and NVIDIA GPUs, that searches proteins as NCBI's blastp does, byte for byte; makes, shows
 and masks BLAST databases; classifies reads by reference genomes and removes contamination; finds all exact
 matches between DNA sequences; and screens lists of strings with Bloom filters, which it makes.
 .
 With it the C library libtamis: Bloom filters of byte strings, their headers, manual pages and examples.")
set(CPACK_PACKAGE_CONTACT "The tamis developers")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "pkg-config, gnuplot-nox")
include(CPack)
