#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/fmi/system/system_run.h"

namespace orrery::fmi {

/// For tests: files of a system by name. FMUs of a lag, a ball, a switch, both
/// by Model Exchange, and of values of all types are among them.
using Files = std::map<std::string, std::string>;

/// For tests: a description with this content of its system.
[[nodiscard]] std::string Ssd(const std::string& content);

/// For tests: an FMU in a system.
[[nodiscard]] std::string Component(const std::string& name,
                                    const std::string& content = "",
                                    const std::string& source = "lag.fmu");

/// For tests: connectors, each with its name, its kind, and what is in it.
[[nodiscard]] std::string Connectors(
    const std::vector<std::array<const char*, 3>>& connectors);

/// For tests: from `a.b` to `c.d`; an empty name of an element is the
/// system's.
[[nodiscard]] std::string Connection(const std::string& from,
                                     const std::string& output,
                                     const std::string& to,
                                     const std::string& input,
                                     const std::string& content = "");

/// For tests: two lags `a` and `b`.
[[nodiscard]] std::string Two(const std::string& connections,
                              const std::string& of_a = "",
                              const std::string& of_b = "");

/// For tests: a run of the system in `s.ssd`.
[[nodiscard]] RunResult RunSystem(const Files& files,
                                  CoSimulationOptions options,
                                  Diagnostics& diagnostics);

/// For tests: a run of the system with this content, without findings.
[[nodiscard]] RunResult RunText(const std::string& content,
                                const CoSimulationOptions& options);

/// For tests: all that is found about the system in `s.ssd`.
[[nodiscard]] std::string FindingsOf(const Files& files);

}  // namespace orrery::fmi
