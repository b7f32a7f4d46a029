include("${CMAKE_CURRENT_LIST_DIR}/orrery-targets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/orrery-model.cmake")

# What orrery_add_fmu needs.
if(TARGET orrery::class_fmu)
  return()
endif()
add_library(orrery::class_fmu INTERFACE IMPORTED)
orrery_link_class_fmu(orrery::class_fmu
  "${CMAKE_CURRENT_LIST_DIR}/../../orrery/liborrery_class_fmu.a"
  "${CMAKE_CURRENT_LIST_DIR}/../../orrery/fmu.map")
find_program(ORRERY_COMMAND orrery)
if(ORRERY_COMMAND)
  add_executable(orrery::command IMPORTED)
  set_target_properties(orrery::command PROPERTIES
    IMPORTED_LOCATION "${ORRERY_COMMAND}")
endif()
