#pragma once

#include <string>

#include "orrery/sdk/devs_model.h"
#include "orrery/sdk/version.h"

namespace orrery {

/// What a plug-in hands out. The version is where it is in every version.
struct PluginEntry {
  const char* version;   ///< Of the Orrery that the plug-in was built with.
  DevsModel (*model)();  ///< To be called if that is this one.
};

/// The model in a plug-in: a shared library with ORRERY_PLUGIN or ORRERY_MAIN.
/// The library stays loaded as long as the result or a copy of it is there.
/// @throws Error kIo if there is no such file or it cannot be loaded,
///     kInvalidModel if it is no plug-in or one of another version.
[[nodiscard]] DevsModel LoadPlugin(const std::string& path);

}  // namespace orrery

/// Makes the shared library that it stands in, outside of any namespace and
/// once, a plug-in with a DEVS model: `ORRERY_PLUGIN(Factory)`. What the class
/// must have is said at DevsModel::Of.
#define ORRERY_PLUGIN(...)                                           \
  extern "C" __attribute__((visibility("default")))                  \
  const ::orrery::PluginEntry*                                       \
  OrreryPlugin();                                                    \
  const ::orrery::PluginEntry* OrreryPlugin() {                      \
    static const ::orrery::PluginEntry kEntry = {                    \
        .version = ::orrery::kVersion, .model = [] {                 \
          return ::orrery::DevsModel::Of<__VA_ARGS__>(#__VA_ARGS__); \
        }};                                                          \
    return &kEntry;                                                  \
  }                                                                  \
  static_assert(true, "for the semicolon")
