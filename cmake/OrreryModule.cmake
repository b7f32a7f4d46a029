include_guard(GLOBAL)

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/layers.txt")

# All modules of `layers.txt`, in its order, in `out`.
function(orrery_modules out)
  file(STRINGS "${PROJECT_SOURCE_DIR}/layers.txt" lines REGEX "^[a-z]+:")
  list(TRANSFORM lines REPLACE ":.*" "")
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# The modules that `layers.txt` lets `module` include, in `out`.
function(orrery_allowed_deps module out)
  file(STRINGS "${PROJECT_SOURCE_DIR}/layers.txt" line REGEX "^${module}:")
  if(NOT line)
    message(FATAL_ERROR "Module '${module}' has no line in layers.txt; add "
                        "'${module}: <the modules it may include>'.")
  endif()
  string(REGEX REPLACE "^${module}:[ ]*" "" line "${line}")
  string(REPLACE " " ";" line "${line}")
  set(${out} "${line}" PARENT_SCOPE)
endfunction()

# Headers that most sources include.
set(ORRERY_STANDARD_HEADERS
  <algorithm> <array> <functional> <map> <memory> <numbers> <optional> <span>
  <sstream> <string> <unordered_map> <variant> <vector>)

# Precompiles headers for `target`, once for all targets of a `kind`: they are
# to have the same options.
function(orrery_precompile target kind)
  get_property(owner GLOBAL PROPERTY ORRERY_PRECOMPILED_FOR_${kind})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
    set_property(GLOBAL PROPERTY ORRERY_PRECOMPILED_FOR_${kind} ${target})
  endif()
endfunction()

# Compiles the sources of `target` together, some at a time, if ORRERY_UNITY asks
# for it: their headers are read, and their templates made, once. So no two
# sources of a module or of its tests give one name to two things.
function(orrery_compile_together target)
  if(ORRERY_UNITY)
    set_target_properties(${target} PROPERTIES
      UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
    # g++ takes a source for a header there.
    target_compile_options(${target} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# Compiles `target`, whose code runs once for a model or a request, in little
# time: it is optimised less, which costs its users a tenth of it and saves a
# third of its compilation, and more of its sources are compiled together.
function(orrery_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(ORRERY_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 20)
  endif()
endfunction()

# orrery_add_module(NAME HEADERS... [INNER_HEADERS...] SOURCES... DEPS...
#                   [PRIVATE_LIBS...])
#
# One module = one folder = one target `orrery::NAME`. HEADERS are installed, and
# other modules may include them. INNER_HEADERS are for other modules only. A
# header not listed is private. DEPS are modules; naming one that layers.txt does
# not allow stops the configure step.
# PRIVATE_LIBS are third-party libraries; they may not appear in HEADERS.
#
# The target is a static archive for the tests of the house; the product is
# one shared library made of all of them (orrery/sdk).
function(orrery_add_module name)
  cmake_parse_arguments(ARG "" ""
    "HEADERS;INNER_HEADERS;SOURCES;DEPS;PRIVATE_LIBS" ${ARGN})
  orrery_allowed_deps(${name} allowed)
  foreach(dep IN LISTS ARG_DEPS)
    if(NOT dep IN_LIST allowed)
      message(FATAL_ERROR "orrery::${name} may not depend on orrery::${dep}: "
                          "layers.txt allows '${name}: ${allowed}'.")
    endif()
  endforeach()

  add_library(orrery_${name} STATIC ${ARG_SOURCES})
  add_library(orrery::${name} ALIAS orrery_${name})
  set_target_properties(orrery_${name} PROPERTIES
    VERIFY_INTERFACE_HEADER_SETS ON)
  target_sources(orrery_${name} PUBLIC FILE_SET HEADERS
    BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${ARG_HEADERS})
  target_compile_features(orrery_${name} PUBLIC cxx_std_20)
  # Nobody replaces a function of the shared library, so that it can be inlined
  # in its own source, as clang does anyway.
  target_compile_options(orrery_${name} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
  list(TRANSFORM ARG_DEPS PREPEND orrery::)
  target_link_libraries(orrery_${name}
    PUBLIC ${ARG_DEPS}
    PRIVATE ${ARG_PRIVATE_LIBS} orrery::warnings)
  set_property(GLOBAL APPEND PROPERTY ORRERY_MODULES ${name})
  orrery_compile_together(orrery_${name})
  # Builds with GCC leave it, and so see whether a source includes what it uses.
  if(ORRERY_PRECOMPILE AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    orrery_precompile(orrery_${name} MODULES ${ORRERY_STANDARD_HEADERS})
  endif()
endfunction()

# The name by which the loader knows the shared library at `path`, in `out`.
function(orrery_soname out path)
  execute_process(COMMAND "${CMAKE_READELF}" -d "${path}"
    OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "soname: \\[([^]]+)\\]" found "${dynamic}")
  if(NOT found)
    message(FATAL_ERROR "${path} has no soname: is it a shared library?")
  endif()
  set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

# How the sources of tests are compiled: in little time.
function(orrery_compile_as_test name)
  # Debug builds are for sanitizers and fuzzers, which are to look at what is
  # tested: to check every pointer of a test, to count its branches (a quarter
  # of its compilation), or to optimise it, would take minutes. To
  # optimise tests fully in Release builds would, too; g++ 12 then warns of
  # overruns in std::string where none are.
  target_compile_options(${name} PRIVATE
    $<$<CONFIG:Debug>:-O0 -fno-sanitize=alignment>
    $<$<BOOL:${ORRERY_FUZZ}>:-fno-sanitize=fuzzer-no-link>
    $<$<CONFIG:Release>:-Og -Wno-array-bounds -Wno-stringop-overflow>)
  if(ORRERY_PRECOMPILE)
    orrery_precompile(${name} TESTS ${ORRERY_STANDARD_HEADERS}
      <gmock/gmock.h> <gtest/gtest.h> <rapidcheck/gtest.h>)
  endif()
endfunction()

# orrery_add_tests(MODULE [SUITE name] SOURCES... [DEPS...] [LIBS...])
#
# Unit tests of a module: one executable, MODULE_test or MODULE_SUITE_test, and
# one ctest entry a test. The target unit_tests builds those of all modules.
function(orrery_add_tests module)
  cmake_parse_arguments(ARG "" "SUITE" "SOURCES;DEPS;LIBS" ${ARGN})
  string(JOIN _ name ${module} ${ARG_SUITE} test)
  add_executable(${name} ${ARG_SOURCES})
  list(TRANSFORM ARG_DEPS PREPEND orrery::)
  target_link_libraries(${name} PRIVATE orrery::${module} ${ARG_DEPS}
    ${ARG_LIBS} rapidcheck_gtest GTest::gmock_main orrery::warnings)
  target_compile_definitions(${name} PRIVATE
    ORRERY_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  orrery_compile_as_test(${name})
  orrery_compile_together(${name})
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT 120 LABELS unit)
  if(NOT TARGET unit_tests)
    add_custom_target(unit_tests)
  endif()
  add_dependencies(unit_tests ${name})
endfunction()

# orrery_add_bench(NAME [DEPS...] [LIBS...])
#
# `NAME_bench.cc` of the current folder, run by `scripts/bench NAME`. One short
# pass of it is a test: it must run and check its answers.
function(orrery_add_bench name)
  cmake_parse_arguments(ARG "" "" "DEPS;LIBS" ${ARGN})
  add_executable(${name}_bench ${name}_bench.cc)
  list(TRANSFORM ARG_DEPS PREPEND orrery::)
  target_link_libraries(${name}_bench PRIVATE ${ARG_DEPS} ${ARG_LIBS}
    orrery::warnings)
  add_test(NAME bench.${name} COMMAND ${name}_bench --smoke)
  set_tests_properties(bench.${name} PROPERTIES TIMEOUT 120 LABELS bench)
endfunction()

# orrery_add_fuzz(MODULE NAME)
#
# `NAME_fuzz.cc` of the current folder as the libFuzzer target MODULE_NAME_fuzz;
# its seeds are in `corpus/`. The target fuzz_targets builds those of all
# modules.
function(orrery_add_fuzz module name)
  add_executable(${module}_${name}_fuzz ${name}_fuzz.cc)
  target_link_libraries(${module}_${name}_fuzz PRIVATE
    orrery::${module} orrery::warnings)
  target_link_options(${module}_${name}_fuzz PRIVATE -fsanitize=fuzzer)
  if(NOT TARGET fuzz_targets)
    add_custom_target(fuzz_targets)
  endif()
  add_dependencies(fuzz_targets ${module}_${name}_fuzz)
endfunction()
