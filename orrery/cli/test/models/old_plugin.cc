// A plug-in as another version of Orrery would have made it.

#include "orrery/sdk/classes/plugin.h"

extern "C" const orrery::PluginEntry* OrreryPlugin();

extern "C" const orrery::PluginEntry* OrreryPlugin() {
  static const orrery::PluginEntry kEntry = {.version = "0.0.1",
                                             .model = nullptr};
  return &kEntry;
}
