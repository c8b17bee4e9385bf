# Compiler flags that every room shares.
add_library(flyball_flags INTERFACE)
target_compile_options(flyball_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # g++ 12 warns of its own std::string (PR 105651)
  -fno-fast-math -ffp-contract=off
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # ccache asks for it with a precompiled header
target_include_directories(flyball_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(flyball_flags INTERFACE
  Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json Threads::Threads)
if(FLYBALL_SANITIZE)
  target_compile_options(flyball_flags INTERFACE
    -fsanitize=${FLYBALL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)  # g++ 12 warns of its own <regex>
  target_link_options(flyball_flags INTERFACE -fsanitize=${FLYBALL_SANITIZE})
  target_compile_definitions(flyball_flags INTERFACE FLYBALL_SANITIZED)
endif()
if(FLYBALL_COVERAGE)
  target_compile_options(flyball_flags INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(flyball_flags INTERFACE --coverage)
endif()

# room(name [USES room...] [LIBS target...])
# One folder under src/ is one static library of every .cc in it but main.cc; USES is at once the
# link line and what tests/layers checks from the #include lines.
function(room name)
  cmake_parse_arguments(ROOM "" "" "USES;LIBS" ${ARGN})
  file(GLOB ROOM_SOURCES CONFIGURE_DEPENDS ${name}/*.cc)
  list(FILTER ROOM_SOURCES EXCLUDE REGEX "/main.cc$")
  list(TRANSFORM ROOM_USES PREPEND flyball_)
  add_library(flyball_${name} STATIC ${ROOM_SOURCES})
  target_link_libraries(flyball_${name} PUBLIC flyball_flags ${ROOM_USES} PRIVATE ${ROOM_LIBS})
  precompile(flyball_${name} flyball_core precompiled.h)
endfunction()

# The first target that is named owns the precompiled header, the others reuse it.
function(precompile target owner header)
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/${header})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()
