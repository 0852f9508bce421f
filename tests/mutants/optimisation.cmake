# Compiles the code that contains mutants with few optimisations. CMake includes this file when it begins with the project.
foreach(room rules metric survival trial plan search)
  file(GLOB sources CONFIGURE_DEPENDS libhtools/${room}/*.cpp)
  set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS -O1)
endforeach()
