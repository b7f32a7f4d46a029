include_guard(GLOBAL)

# orrery_add_model(NAME SOURCES... [FILES files...])
#
# A model by ORRERY_MAIN in one of the sources: the program NAME, and the plug-in
# libNAME.so (target NAME_plugin) for `orrery run`. What the sources need is
# given to the target NAME_objects, as by
# target_link_libraries(NAME_objects PUBLIC ...). FILES are what the model reads,
# as equations in Modelica: they are copied to where the program and the plug-in
# are, for PathBeside().
function(orrery_add_model name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FILES")
  add_library(${name}_objects OBJECT ${arg_UNPARSED_ARGUMENTS})
  set_target_properties(${name}_objects PROPERTIES
    POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${name}_objects PUBLIC orrery::main)
  add_executable(${name})
  target_link_libraries(${name} PRIVATE ${name}_objects)
  add_library(${name}_plugin MODULE)
  set_target_properties(${name}_plugin PROPERTIES OUTPUT_NAME ${name})
  target_link_libraries(${name}_plugin PRIVATE ${name}_objects)
  if(arg_FILES)
    list(TRANSFORM arg_FILES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/"
      REGEX "^[^/]" OUTPUT_VARIABLE files)
    foreach(target IN ITEMS ${name} ${name}_plugin)
      # A target of its own: files change without the program being linked.
      add_custom_target(${target}_files
        COMMAND ${CMAKE_COMMAND} -E copy_if_different
          ${files} "$<TARGET_FILE_DIR:${target}>"
        VERBATIM)
      add_dependencies(${target} ${target}_files)
    endforeach()
  endif()
endfunction()
