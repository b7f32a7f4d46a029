#pragma once

#include <functional>
#include <optional>
#include <string>

#include "orrery/sdk/reports/error_report.h"

namespace orrery::cli {

/// Calls `command` and prints what it throws; the body of `main`.
/// @param program the name in messages.
/// @param json the kind of report on the standard output if the command fails;
///     nothing for none.
/// @returns the exit code.
int Guarded(const std::string& program,
            std::optional<ReportKind> json,
            const std::function<int()>& command);

}  // namespace orrery::cli
