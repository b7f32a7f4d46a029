#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "orrery/cli/terminal/report_stream.h"
#include "orrery/sdk/reports/error_report.h"

namespace orrery::cli {

/// Calls `command` and prints what it throws; the body of `main`.
/// @param program the name in messages.
/// @param json the kind of report on the standard output if the command fails;
///     nothing for none.
/// @param report the program that is told what is thrown, as ReportStream.
/// @returns the exit code.
int Guarded(const std::string& program,
            std::optional<ReportKind> json,
            const std::function<int()>& command,
            int report = ReportStream::kNone);

/// The descriptor after `--report-fd` on a command line, which must be known
/// even if the command line cannot be read.
[[nodiscard]] int ReportWantedBy(std::span<const char* const> words);

}  // namespace orrery::cli
