# Defines where files are installed below the prefix. The tools and their files are the component `runtime`, the
# libraries `dev`. Each file is installed a second time, by cpack only, as component `debian` or `debian-dev`. Debian's
# Ganeti has commands, pages and completions of the same names, and two packages must not contain the same file, so the
# packages have separate places for these.
include(GNUInstallDirs)
# Installing and cpack take only what has been built, so that the tools need not wait for the tests.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
find_program(HTOOLS_GZIP gzip REQUIRED)

# htools_place(KIND COMPONENT PLACE PLACE-IN-THE-PACKAGE) defines where files of a kind are installed.
function(htools_place kind component place package_place)
  set(package_component debian)
  if(component STREQUAL dev)
    set(package_component debian-dev)
  endif()
  set(HTOOLS_components_${kind} ${component} ${package_component} PARENT_SCOPE)
  set(HTOOLS_places_${kind} ${place} ${package_place} PARENT_SCOPE)
endfunction()

set(completions bash-completion/completions)
htools_place(program runtime ${CMAKE_INSTALL_BINDIR} lib/htools/bin)
htools_place(tools runtime ${CMAKE_INSTALL_BINDIR} lib/htools/bin)
# man(1) looks for pages beside the directories in PATH.
htools_place(man1 runtime ${CMAKE_INSTALL_MANDIR}/man1 lib/htools/share/man/man1)
htools_place(man7 runtime ${CMAKE_INSTALL_MANDIR}/man7 share/man/man7)
htools_place(bash runtime ${CMAKE_INSTALL_DATADIR}/${completions} share/${completions})
htools_place(bash_links runtime ${CMAKE_INSTALL_DATADIR}/${completions} lib/htools/share/${completions})
htools_place(zsh runtime ${CMAKE_INSTALL_DATADIR}/zsh/site-functions share/zsh/vendor-completions)
htools_place(schemas runtime ${CMAKE_INSTALL_DATADIR}/htools/schemas share/htools/schemas)
htools_place(doc runtime ${CMAKE_INSTALL_DOCDIR} share/doc/htools-suite)
htools_place(sweep runtime ${CMAKE_INSTALL_DATADIR}/htools/sweep share/htools/sweep)
htools_place(examples runtime ${CMAKE_INSTALL_DOCDIR}/examples share/doc/htools-suite/examples)

cmake_path(APPEND package_libdir lib "${CMAKE_LIBRARY_ARCHITECTURE}")
cmake_path(GET package_libdir RELATIVE_PART package_libdir)
htools_place(headers dev ${CMAKE_INSTALL_INCLUDEDIR} include)
htools_place(lib dev ${CMAKE_INSTALL_LIBDIR} ${package_libdir})
htools_place(cmake dev ${CMAKE_INSTALL_LIBDIR}/cmake/htools ${package_libdir}/cmake/htools)
htools_place(pkgconfig dev ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${package_libdir}/pkgconfig)
htools_place(embed dev ${CMAKE_INSTALL_DOCDIR}/examples share/doc/libhtools-dev/examples)

# htools_install(KIND WHAT... [AND MORE...]) installs files of a kind. WHAT are the arguments of install() before
# DESTINATION and COMPONENT, MORE those after them. @COMPONENT@ in WHAT is replaced by the component.
function(htools_install kind)
  set(more)
  list(FIND ARGN AND at)
  if(at GREATER -1)
    list(SUBLIST ARGN ${at} -1 more)
    list(POP_FRONT more)
    list(SUBLIST ARGN 0 ${at} ARGN)
  endif()
  set(exclude)
  foreach(component place IN ZIP_LISTS HTOOLS_components_${kind} HTOOLS_places_${kind})
    string(REPLACE @COMPONENT@ ${component} what "${ARGN}")
    install(${what} DESTINATION ${place} COMPONENT ${component} ${exclude} ${more})
    set(exclude EXCLUDE_FROM_ALL)
  endforeach()
endfunction()

# Sets RESULT to the relative path from a directory to a file or another directory. Each argument is absolute or
# relative to the prefix.
function(htools_relative_path result directory file)
  cmake_path(ABSOLUTE_PATH directory BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} NORMALIZE)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} NORMALIZE)
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${directory})
  set(${result} ${file} PARENT_SCOPE)
endfunction()

# Installs a symbolic link NAME at the place of one kind that leads to a file at the place of another kind.
function(htools_install_link kind name target_kind target)
  foreach(component place target_place IN ZIP_LISTS
      HTOOLS_components_${kind} HTOOLS_places_${kind} HTOOLS_places_${target_kind})
    htools_relative_path(path ${place} ${target_place}/${target})
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${component})
    file(CREATE_LINK ${path} ${CMAKE_CURRENT_BINARY_DIR}/${component}/${name} SYMBOLIC)
  endforeach()
  htools_install(${kind} FILES ${CMAKE_CURRENT_BINARY_DIR}/@COMPONENT@/${name})
endfunction()

# Adds a target that is always built: the output of a command that reads SOURCE from its standard input, compressed as
# Debian requires it, with the same bytes whenever and wherever it is built.
function(htools_compressed target output source)
  add_custom_command(OUTPUT ${output}
    COMMAND ${ARGN} < ${source} > ${output}.new
    COMMAND ${HTOOLS_GZIP} -9n < ${output}.new > ${output}
    COMMAND ${CMAKE_COMMAND} -E rm ${output}.new
    DEPENDS ${source}
    VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${output})
endfunction()
