include_guard(GLOBAL)

# orrery_add_model(NAME SOURCES...)
#
# A DEVS model by ORRERY_MAIN in one of the sources: the program NAME, and the
# plug-in libNAME.so (target NAME_plugin) for `orrery run`. What the sources
# need is given to the target NAME_objects, as by
# target_link_libraries(NAME_objects PUBLIC ...).
function(orrery_add_model name)
  add_library(${name}_objects OBJECT ${ARGN})
  set_target_properties(${name}_objects PROPERTIES
    POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${name}_objects PUBLIC orrery::main)
  add_executable(${name})
  target_link_libraries(${name} PRIVATE ${name}_objects)
  add_library(${name}_plugin MODULE)
  set_target_properties(${name}_plugin PROPERTIES OUTPUT_NAME ${name})
  target_link_libraries(${name}_plugin PRIVATE ${name}_objects)
endfunction()
