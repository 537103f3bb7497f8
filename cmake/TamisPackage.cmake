# cpack -G DEB: the Debian packages, one for each component of TamisInstall.cmake: the command, the library, what is needed to compile with it.
# dpkg-shlibdeps finds the packages that they need. The command has libtamis in itself.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tamis)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_CONTACT "The tamis developers")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL command library development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME tamis)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS gnuplot-nox)
set(CPACK_DEBIAN_COMMAND_DESCRIPTION
  "searches sequences as NCBI BLAST+, classifies reads, screens lists
A command, on CPU threads and NVIDIA GPUs, that searches proteins and nucleotides as blastp, blastn, blastx, tblastn and tblastx of NCBI BLAST+ do,
byte for byte, on one machine or on many; makes, shows and masks BLAST databases as makeblastdb, blastdbcmd, segmasker and dustmasker;
classifies reads by reference genomes and removes contamination; finds all exact matches between DNA sequences; draws them as
dot plots; screens lists of strings with Bloom filters, which it makes, and estimates how often strings came; and predicts how fast all that
will be. Reports are those of BLAST+, or pages for a browser.
.
Pipelines can call it by the names of BLAST+: tamis links.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME "libtamis${tamis_soversion}")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION
  "Bloom filters and sequence search on CPUs and GPUs: library
Bloom filters of byte strings, frequencies of strings, BLAST databases, searches of proteins and nucleotides with the results of NCBI
BLAST+, reads against reference genomes, and exact matches of DNA, on CPU threads and NVIDIA GPUs.
.
This package has the shared library.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtamis-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libtamis${tamis_soversion} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS pkg-config)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
  "Bloom filters and sequence search on CPUs and GPUs: development files
Bloom filters of byte strings, frequencies of strings, BLAST databases, searches of proteins and nucleotides with the results of NCBI
BLAST+, reads against reference genomes, and exact matches of DNA, on CPU threads and NVIDIA GPUs.
.
This package has the headers for C11 and C++, the static library, the pkg-config file and the CMake package.")
include(CPack)
