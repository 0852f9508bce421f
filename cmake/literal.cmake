# Builds the program without shortcuts (libhtools/base/literal.h) beside the other one: the rooms that have a gate are
# compiled once more, and all others are shared. Its tools lie in the folder `literal` of the build.
file(GLOB_RECURSE candidates CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/libhtools/*.cpp ${PROJECT_SOURCE_DIR}/libhtools/*.h
  ${PROJECT_SOURCE_DIR}/simulate/*.cpp)
set(rooms)
foreach(candidate IN LISTS candidates)
  file(STRINGS ${candidate} gates REGEX "kLiteral|base/literal\\.h" LIMIT_COUNT 1)
  if(gates)
    cmake_path(GET candidate PARENT_PATH room)
    list(APPEND rooms ${room})
  endif()
endforeach()
list(REMOVE_DUPLICATES rooms)
list(TRANSFORM rooms APPEND "/*.cpp")
file(GLOB sources CONFIGURE_DEPENDS ${rooms})

# Whole rooms are compiled again, so that the linker finds no use for what the library has of them. It would report
# functions that are defined twice.
add_library(htools_literal OBJECT ${sources})
target_compile_definitions(htools_literal PRIVATE HTOOLS_LITERAL)
target_compile_options(htools_literal PRIVATE ${HTOOLS_TEXT_OPTIMISATION})
target_link_libraries(htools_literal PRIVATE htools_core htools_flags)
target_include_directories(htools_literal SYSTEM PRIVATE ${RAPIDJSON_INCLUDE_DIR})
target_precompile_headers(htools_literal REUSE_FROM htools_text)
htools_batch(htools_literal)

add_executable(literal $<TARGET_OBJECTS:htools_literal> $<TARGET_OBJECTS:htools>)
target_link_libraries(literal PRIVATE htools_apps_common htools_flags)
set_target_properties(literal PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/literal OUTPUT_NAME htools
  LINKER_LANGUAGE CXX)
foreach(tool IN LISTS HTOOLS_TOOLS)
  add_custom_command(TARGET literal POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E create_symlink htools ${CMAKE_BINARY_DIR}/literal/${tool})
endforeach()
