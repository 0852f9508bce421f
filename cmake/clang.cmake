# The clang that the sanitizers and the fuzzer are built with, for CMAKE_TOOLCHAIN_FILE.
execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/../scripts/clang-version
  OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(CMAKE_CXX_COMPILER clang++-${version})
