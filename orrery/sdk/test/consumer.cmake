# Installs the build tree `build` into `work`/install, then builds and runs the
# program in `source` against it.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${work})
run(${CMAKE_COMMAND} --install ${build} --prefix ${work}/install)
run(${CMAKE_COMMAND} -S ${source} -B ${work}/build -G Ninja
  -D CMAKE_PREFIX_PATH=${work}/install
  -D CMAKE_CXX_COMPILER=${compiler}
  -D CMAKE_CXX_FLAGS=${flags})
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/consumer)
