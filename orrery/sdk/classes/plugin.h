#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <variant>

#include "orrery/base/source_file.h"
#include "orrery/sdk/classes/devs_model.h"
#include "orrery/sdk/classes/joint_model.h"
#include "orrery/sdk/classes/process_model.h"
#include "orrery/sdk/classes/version.h"

namespace orrery {

/// A kind of model that is a class and is run by name.
using ClassModel = std::variant<DevsModel, ProcessModel, JointModel>;

/// Returns the kind of model of class `M`, by the engine that it derives from.
template <typename M>
[[nodiscard]] ClassModel ModelOf(std::string_view name) {
  static_assert(std::derived_from<M, devs::Model> ||
                    std::derived_from<M, process::Model> ||
                    std::derived_from<M, Simulation>,
                "want a DEVS model, a process::Model or a Simulation");
  if constexpr (std::derived_from<M, devs::Model>) {
    return DevsModel::Of<M>(name);
  } else if constexpr (std::derived_from<M, process::Model>) {
    return ProcessModel::Of<M>(name);
  } else {
    return JointModel::Of<M>(name);
  }
}

/// The name of its class.
[[nodiscard]] inline const std::string& NameOf(const ClassModel& model) {
  return std::visit(
      [](const auto& kind) -> const std::string& { return kind.name(); },
      model);
}

/// The entry point of a plug-in. The version is the first member in all
/// versions.
struct PluginEntry {
  const char* version;    ///< The version of Orrery that the plug-in was built
                          ///< with.
  ClassModel (*model)();  ///< May be called only if the version is this one.
};

/// Loads the model in a plug-in: a shared library with ORRERY_PLUGIN or
/// ORRERY_MAIN. The library stays loaded as long as the result or a copy
/// exists.
/// @throws Error kIo if there is no such file or it cannot be loaded,
///     kInvalidModel if it is no plug-in or one of another version.
[[nodiscard]] ClassModel LoadPlugin(const std::string& path);

/// The same for a file in memory, perhaps from another machine.
[[nodiscard]] ClassModel LoadPlugin(const SourceFile& file);

}  // namespace orrery

/// Makes a shared library a plug-in with a DEVS model, a model of tasks or a
/// Simulation: `ORRERY_PLUGIN(Factory)`, outside of any namespace and once.
/// DevsModel::Of, ProcessModel::Of and JointModel::Of list the required members
/// of the class.
#define ORRERY_PLUGIN(...)                                     \
  extern "C" __attribute__((visibility("default")))            \
  const ::orrery::PluginEntry*                                 \
  OrreryPlugin();                                              \
  const ::orrery::PluginEntry* OrreryPlugin() {                \
    static const ::orrery::PluginEntry kEntry = {              \
        .version = ::orrery::kVersion, .model = [] {           \
          return ::orrery::ModelOf<__VA_ARGS__>(#__VA_ARGS__); \
        }};                                                    \
    return &kEntry;                                            \
  }                                                            \
  static_assert(true, "for the semicolon")
