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

# orrery_add_fmu(NAME [FMI version] [SET name=value...])
#
# The model NAME by orrery_add_model as an FMU for Co-Simulation, NAME.fmu beside
# the plug-in; DEVS models and models of tasks. The target is NAME_fmu. FMI is 3
# (default) or 2; SET gives parameters of the FMU other values than the class's.
function(orrery_add_fmu name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FMI" "SET")
  if(NOT arg_FMI)
    set(arg_FMI 3)
  endif()
  add_library(${name}_fmu_code MODULE $<TARGET_OBJECTS:${name}_objects>)
  set_target_properties(${name}_fmu_code PROPERTIES
    OUTPUT_NAME "${name}_fmu" BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN"
    LINKER_LANGUAGE CXX)
  target_compile_options(${name}_objects PRIVATE
    -ffunction-sections -fdata-sections)
  target_link_libraries(${name}_fmu_code PRIVATE orrery::class_fmu)
  list(TRANSFORM arg_SET PREPEND "--set=" OUTPUT_VARIABLE settings)
  set(fmu "$<TARGET_FILE_DIR:${name}_plugin>/${name}.fmu")
  add_custom_command(TARGET ${name}_fmu_code POST_BUILD
    COMMAND $<TARGET_FILE:orrery::command> fmu export
      "$<TARGET_FILE:${name}_plugin>" --fmi ${arg_FMI} ${settings}
      --output "${fmu}"
    VERBATIM)
  add_dependencies(${name}_fmu_code ${name}_plugin orrery::command)
  add_custom_target(${name}_fmu)
  add_dependencies(${name}_fmu ${name}_fmu_code)
endfunction()

# Lets who links `target` be the code of an FMU of a class: a library that shows
# the functions of the standards alone, and needs the C library and SLEEF.
function(orrery_link_class_fmu target archive exports)
  target_link_libraries(${target} INTERFACE "${archive}" -l:libz.a -l:libsleef.so.3
    ${CMAKE_DL_LIBS})
  target_link_options(${target} INTERFACE
    -static-libstdc++ -static-libgcc
    LINKER:--undefined=fmi2GetVersion LINKER:--undefined=fmi3GetVersion
    LINKER:--gc-sections
    "LINKER:--version-script=${exports}"
    # A sanitizer is in the program that opens the library.
    $<$<CONFIG:Release>:LINKER:-z,defs> $<$<CONFIG:Release>:LINKER:-s>)
endfunction()
