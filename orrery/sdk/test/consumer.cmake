# Installs the build tree `build` into `work`/install, then builds and runs the
# programs in `source` against it: one that calls the library, and a DEVS model
# as a program and as a plug-in of the installed command. Documents and examples
# are there, too.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Runs a command; its last tick is to be number 5.
function(run_counter)
  execute_process(COMMAND ${ARGV} --stop 10s --set period=2s --no-save
    OUTPUT_VARIABLE report COMMAND_ERROR_IS_FATAL ANY)
  if(NOT report MATCHES "\n  tick  5  at t = 10 s\n")
    message(FATAL_ERROR "${ARGV}: ${report}")
  endif()
endfunction()

file(REMOVE_RECURSE ${work})
run(${CMAKE_COMMAND} --install ${build} --prefix ${work}/install)
run(${CMAKE_COMMAND} -S ${source} -B ${work}/build -G Ninja
  -D CMAKE_PREFIX_PATH=${work}/install
  -D CMAKE_CXX_COMPILER=${compiler}
  -D CMAKE_CXX_FLAGS=${flags})
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/consumer)
run_counter(${work}/build/counter)
run_counter(${work}/install/bin/orrery run ${work}/build/libcounter.so)
foreach(header IN ITEMS cli/main.h devs/library.h devs/simulator.h
    process/simulator.h queueing/queueing.h sdk/orrery.h timeline/timeline.h)
  if(NOT EXISTS ${work}/install/include/orrery/${header})
    message(FATAL_ERROR "include/orrery/${header} is not installed")
  endif()
endforeach()
foreach(file IN ITEMS doc/orrery/docs/reference/guide.md
    doc/orrery/docs/images/hudson_bay.svg
    orrery/examples/circle/circle.mo)
  if(NOT EXISTS ${work}/install/share/${file})
    message(FATAL_ERROR "share/${file} is not installed")
  endif()
endforeach()
