# Compiles the sources of a target in batches, each of which is one unit for the compiler ("unity build"). The sources are
# small, so that a compiler that looks at each of them alone spends most of its time on headers. A batch has sources of one
# room (folder) only: what the objects of a room need and define is still known (tests/floors), and a change of one
# source compiles few others anew.
#
# htools_batch(TARGET) does so for all sources of TARGET but those with flags of their own, which CMake keeps out.
set(HTOOLS_BATCH_SIZE 20)

function(htools_batch target)
  if(NOT HTOOLS_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE)
    cmake_path(GET source PARENT_PATH room)
    cmake_path(RELATIVE_PATH room BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${room}" room)
    list(APPEND rooms ${room})
    list(APPEND sources_of_${room} ${source})
  endforeach()
  list(REMOVE_DUPLICATES rooms)
  foreach(room IN LISTS rooms)
    # Batches of a room are about equally large.
    list(LENGTH sources_of_${room} count)
    math(EXPR batches "(${count} + ${HTOOLS_BATCH_SIZE} - 1) / ${HTOOLS_BATCH_SIZE}")
    set(position 0)
    foreach(source IN LISTS sources_of_${room})
      math(EXPR batch "${position} * ${batches} / ${count} + 1")
      set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP ${room}_${batch})
      math(EXPR position "${position} + 1")
    endforeach()
  endforeach()
endfunction()
