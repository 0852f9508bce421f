# Defines two Debian packages, which cpack builds: the tools, and the libraries for other programs. README.Debian
# describes where the files are installed.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "htools maintainers <maintainers@htools.invalid>" CACHE STRING "Maintainer of the packages")
set(CPACK_DEBIAN_PACKAGE_RELEASE 1 CACHE STRING "Revision of the packages")

# Installs the documents that every package must have: changelog, copyright and lintian overrides.
function(htools_package_documents PACKAGE component)
  set(changelog ${CMAKE_CURRENT_BINARY_DIR}/${PACKAGE}/changelog)
  configure_file(debian/changelog.in ${changelog} @ONLY)
  htools_compressed(changelog-${PACKAGE} ${changelog}.Debian.gz ${changelog} cat)
  install(FILES ${changelog}.Debian.gz debian/copyright
    DESTINATION share/doc/${PACKAGE} COMPONENT ${component} EXCLUDE_FROM_ALL)
  install(FILES debian/${PACKAGE}.lintian-overrides RENAME ${PACKAGE}
    DESTINATION share/lintian/overrides COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()
htools_package_documents(htools-suite debian)
htools_package_documents(libhtools-dev debian-dev)
install(FILES debian/README.Debian DESTINATION share/doc/htools-suite COMPONENT debian EXCLUDE_FROM_ALL)
# The program itself is installed beside the tools, because bash-completion looks beside the directory to which the
# links lead.
file(CREATE_LINK ../lib/htools/bin/htools ${CMAKE_CURRENT_BINARY_DIR}/htools SYMBOLIC)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/htools DESTINATION bin COMPONENT debian EXCLUDE_FROM_ALL)
# The allocator has the name htools-hail, because Ganeti's own hail keeps its name.
install(PROGRAMS debian/htools-hail DESTINATION lib/ganeti/iallocators COMPONENT debian EXCLUDE_FROM_ALL)

set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL debian debian-dev)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own summary
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_DEBIAN_PACKAGE_NAME htools-suite)
set(CPACK_DEBIAN_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DEBIAN_PACKAGE_RECOMMENDS "libcurl4 | libcurl3-gnutls") # the library is loaded when a host is asked
set(CPACK_DEBIAN_DEBIAN_PACKAGE_SUGGESTS ganeti)
set(CPACK_DEBIAN_DEBIAN_DESCRIPTION "capacity planning and rebalancing of virtualisation clusters
The tools hail, harep, hbal, hcheck, hgrow, himport, hinfo, hplan, hreport,
hroller, hscan, hspace, hsqueeze, hsweep, hwhatif and hwhy answer questions
about a cluster of virtualisation hosts (nodes):
how many more virtual machines (instances) it can hold, which moves of
instances make it balanced and safe, where a new instance should go, and
which nodes can be rebooted or switched off together. They read text files,
simulated specifications, or live Ganeti clusters.
.
They give the same answers as the tools of the same names in Ganeti 3.0.2,
but faster. They do not replace those tools: both can be installed.")

if(NOT TARGET htools_fmt)
  set(CPACK_DEBIAN_DEBIAN-DEV_PACKAGE_DEPENDS libfmt-dev)
endif()
set(CPACK_DEBIAN_DEBIAN-DEV_PACKAGE_NAME libhtools-dev)
set(CPACK_DEBIAN_DEBIAN-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEBIAN-DEV_PACKAGE_SUGGESTS "htools-suite, pkgconf, cmake")
set(CPACK_DEBIAN_DEBIAN-DEV_DESCRIPTION "capacity planning and rebalancing of clusters - C++ library
Headers and a static library of the htools suite, for programs that do
capacity planning themselves. The library reads clusters of virtualisation
hosts, scores and balances them, places instances, simulates capacity, and
plans reboots and power.
.
The package includes files for pkg-config and CMake, and an example.")

set(CPACK_POST_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/installed_size.cmake)
include(CPack)
