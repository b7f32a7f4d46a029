#pragma once

#include "orrery/base/values/record.h"

namespace orrery::process::internal {

/// The effect of cells that nothing acts on.
struct NoEffect {
  friend bool operator==(const NoEffect&, const NoEffect&) = default;

  void Describe(Record& /*record*/) const {}
};

}  // namespace orrery::process::internal
