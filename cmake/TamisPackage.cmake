# cpack -G DEB: one Debian package of all that is installed. The packages that it needs are found by dpkg-shlibdeps.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tamis)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Bloom filters of lines and DNA seeds, on CPU threads and GPUs")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "A command that puts lists of strings into Bloom filters and screens other lists with them, and finds all exact
 matches between DNA sequences; and the C library libtamis, with headers and manual pages.")
set(CPACK_PACKAGE_CONTACT "The tamis developers")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "pkg-config, gnuplot-nox")
include(CPack)
