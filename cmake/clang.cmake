# The toolchain file (CMAKE_TOOLCHAIN_FILE) that selects the clang for the sanitizers and the fuzzer.
execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/../scripts/clang-version
  OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(CMAKE_CXX_COMPILER clang++-${version})
