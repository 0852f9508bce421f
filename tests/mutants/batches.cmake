# Compiles each source that contains mutants alone: a change of one would compile its whole batch anew. CMake includes this
# file when it begins with the project.
foreach(room rules metric survival trial plan search)
  file(GLOB sources CONFIGURE_DEPENDS libhtools/${room}/*.cpp)
  set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endforeach()
