include("${CMAKE_CURRENT_LIST_DIR}/orrery-targets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/orrery-model.cmake")
