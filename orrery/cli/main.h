#pragma once

#include "orrery/cli/program.h"
#include "orrery/sdk/classes/plugin.h"

/// Makes a DEVS model, a model of tasks or a Simulation a program, and a
/// plug-in for `orrery run` if the same source is built as a shared library:
/// `ORRERY_MAIN(Factory);`, outside of any namespace and once. DevsModel::Of,
/// ProcessModel::Of and JointModel::Of list the required members of the class.
/// In CMake:
///
///     find_package(orrery REQUIRED)
///     orrery_add_model(factory factory.cc)   # factory and libfactory.so
#define ORRERY_MAIN(...)                                           \
  int main(int argc, char** argv) {                                \
    return ::orrery::cli::RunProgram(                              \
        argc, argv, ::orrery::ModelOf<__VA_ARGS__>(#__VA_ARGS__)); \
  }                                                                \
  ORRERY_PLUGIN(__VA_ARGS__)
