# Where the tools and what belongs to them are installed, below the prefix: once as component `runtime`, and once, by cpack
# only, as component `package`. Debian's Ganeti has commands, pages and completions of the same names. A package must not
# have the same files; so these have a place of their own there.
include(GNUInstallDirs)
find_program(HTOOLS_GZIP gzip REQUIRED)

function(htools_place kind destination package_destination)
  set(HTOOLS_runtime_${kind} ${destination} PARENT_SCOPE)
  set(HTOOLS_package_${kind} ${package_destination} PARENT_SCOPE)
endfunction()

set(completions share/bash-completion/completions)
htools_place(program ${CMAKE_INSTALL_BINDIR} bin)
htools_place(tools ${CMAKE_INSTALL_BINDIR} lib/htools/bin)
htools_place(man1 ${CMAKE_INSTALL_MANDIR}/man1 lib/htools/share/man/man1) # man(1) looks beside the directories of PATH
htools_place(man7 ${CMAKE_INSTALL_MANDIR}/man7 share/man/man7)
htools_place(bash ${CMAKE_INSTALL_DATADIR}/bash-completion/completions ${completions})
htools_place(bash_links ${CMAKE_INSTALL_DATADIR}/bash-completion/completions lib/htools/${completions})
htools_place(zsh ${CMAKE_INSTALL_DATADIR}/zsh/site-functions share/zsh/vendor-completions)
htools_place(doc ${CMAKE_INSTALL_DOCDIR} share/doc/htools-suite)
htools_place(examples ${CMAKE_INSTALL_DOCDIR}/examples share/doc/htools-suite/examples)

# htools_install(KIND WHAT... [RENAME NAME]): what install() takes, without destination and component.
function(htools_install kind)
  set(rename)
  list(FIND ARGN RENAME at)
  if(at GREATER -1)
    list(SUBLIST ARGN ${at} 2 rename)
    list(SUBLIST ARGN 0 ${at} ARGN)
  endif()
  install(${ARGN} DESTINATION ${HTOOLS_runtime_${kind}} COMPONENT runtime ${rename})
  install(${ARGN} DESTINATION ${HTOOLS_package_${kind}} COMPONENT package EXCLUDE_FROM_ALL ${rename})
endfunction()

# Sets RESULT to the way from a directory to a file. Both are below the prefix, or absolute.
function(htools_relative_path result directory file)
  cmake_path(ABSOLUTE_PATH directory BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} NORMALIZE)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} NORMALIZE)
  file(RELATIVE_PATH path ${directory} ${file})
  set(${result} ${path} PARENT_SCOPE)
endfunction()

# Installs a symbolic link NAME at the place of a kind, which leads to a file at that of another.
function(htools_install_link kind name target_kind target)
  foreach(component runtime package)
    set(directory ${HTOOLS_${component}_${kind}})
    htools_relative_path(path ${directory} ${HTOOLS_${component}_${target_kind}}/${target})
    set(link ${CMAKE_CURRENT_BINARY_DIR}/links/${component}/${name})
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/links/${component})
    file(CREATE_LINK ${path} ${link} SYMBOLIC)
    set(exclude)
    if(component STREQUAL package)
      set(exclude EXCLUDE_FROM_ALL)
    endif()
    install(FILES ${link} DESTINATION ${directory} COMPONENT ${component} ${exclude})
  endforeach()
endfunction()

# A target that is always built: the output of a command that reads SOURCE from its standard input, compressed as Debian
# does it, the same bytes whenever and wherever.
function(htools_compressed target output source)
  add_custom_command(OUTPUT ${output}
    COMMAND ${ARGN} < ${source} > ${output}.new
    COMMAND ${HTOOLS_GZIP} -9n < ${output}.new > ${output}
    COMMAND ${CMAKE_COMMAND} -E rm ${output}.new
    DEPENDS ${source}
    VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${output})
endfunction()
