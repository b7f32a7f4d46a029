#pragma once

#include <string>

#include "orrery/base/error.h"
#include "orrery/sdk/live/live_run.h"

namespace orrery {

/// For tests: returns why a live run refuses a value.
inline std::string WhyNotSet(LiveRun& run, const Setting& setting) {
  try {
    run.Set({setting});
  } catch (const Error& error) {
    return error.what();
  }
  return "it can be set";
}

}  // namespace orrery
