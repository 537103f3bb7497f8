# -DCMAKE_PROJECT_INCLUDE=packaging/glibc.cmake: programs that run on older systems than this one, with the libraries that they need in them.
# gcc compiles; link-glibc.sh links. The command looks for libtamis, which has the GPU code, in lib, or with libisal.so.2 in lib/tamis: of ISA-L
# there is no static library. (The last path is that of an unpacked wheel, where auditwheel looks.)
set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
set(tamis_link "\"${CMAKE_CURRENT_LIST_DIR}/link-glibc.sh\"")
set(CMAKE_C_LINK_EXECUTABLE "${tamis_link} <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
set(CMAKE_C_CREATE_SHARED_LIBRARY "${tamis_link} -shared <LINK_FLAGS> <SONAME_FLAG><TARGET_SONAME> -o <TARGET> <OBJECTS> <LINK_LIBRARIES>")
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib:$ORIGIN/../lib/tamis:$ORIGIN/../data/lib/tamis")
set(tamis_command_library tamis)
