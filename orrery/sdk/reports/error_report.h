#pragma once

#include <cstdint>
#include <string>

#include "orrery/base/error.h"

namespace orrery {

/// The kinds of reports, which have different keys.
enum class ReportKind : std::uint8_t {
  kRun,
  kDevsRun,
  kProcessRun,
  kJointRun,
  kOther,  ///< No run.
};

/// The report of something that was not possible, with the keys of its kind:
/// "status" is "error", "message" the first error; what only runs have is null.
[[nodiscard]] std::string JsonReport(const Error& error, ReportKind kind);

}  // namespace orrery
