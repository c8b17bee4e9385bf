# The page of ui/ inside the program: npm builds ui/dist, embed_page.cmake puts it into a C++ file.
# Without Node, without ui/package.json or with FLYBALL_UI=OFF the program says so in its place.
option(FLYBALL_UI "build ui/ with npm and embed it" ON)
function(embed_page target)
  set(ui ${PROJECT_SOURCE_DIR}/ui)
  set(dist ${PROJECT_BINARY_DIR}/ui)
  set(out ${PROJECT_BINARY_DIR}/page_files.cc)
  find_program(NPM npm)
  set(inputs ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake)
  if(FLYBALL_UI AND NPM AND EXISTS ${ui}/package.json)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${ui}/src/* ${ui}/public/*)
    add_custom_command(OUTPUT ${dist}/index.html
      COMMAND ${CMAKE_COMMAND} -E copy_if_different ${ui}/package-lock.json ${PROJECT_BINARY_DIR}/ui-lock.json
      COMMAND sh -c "[ -d node_modules ] || ${NPM} ci --ignore-scripts --no-audit --no-fund"
      COMMAND ${NPM} run build -- --outDir ${dist} --emptyOutDir
      WORKING_DIRECTORY ${ui}
      DEPENDS ${sources} ${ui}/index.html ${ui}/package.json ${ui}/package-lock.json
      COMMENT "the page" VERBATIM)
    list(APPEND inputs ${dist}/index.html)
  else()
    set(dist ${PROJECT_BINARY_DIR}/no-ui)
  endif()
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DDIST=${dist} -DOUT=${out} -DWORK=${PROJECT_BINARY_DIR}/page -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
    DEPENDS ${inputs} VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()
