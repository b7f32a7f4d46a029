#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/files/file_set.h"
#include "orrery/results/trajectory.h"
#include "orrery/store/store.h"

namespace orrery {

// Experiments in a store, and what is read back from their reports. All of
// these throw Error kIo for a text that is no JSON: it was stored, and is
// damaged.

/// Writes a time since 1970, in ns, in the time zone of the user.
using TimeWriter = std::function<std::string(std::int64_t ns)>;

/// The report of experiments in a store, without their results.
[[nodiscard]] std::string JsonReport(
    const std::vector<ExperimentInfo>& experiments,
    const TimeWriter& write_time);

/// The report of an experiment in a store, with its document.
/// @param results in JSON; "null" for none.
[[nodiscard]] std::string JsonReport(const ExperimentRecord& record,
                                     const std::string& results,
                                     const TimeWriter& write_time);

/// An object {"diagnostics": [...]} on a line.
[[nodiscard]] std::string DiagnosticsReport(
    const std::vector<Diagnostic>& diagnostics);

/// The warnings among the "diagnostics" of a report; none for an empty text.
[[nodiscard]] std::vector<Diagnostic> StoredWarnings(const std::string& report);

/// A value among the results of a report.
struct StoredResult {
  std::string name;
  std::optional<double> number;  ///< Nothing for a text or null.
  std::string json;              ///< As it stands in the report.
};

/// The results of a run besides its trajectory, which models that are classes
/// have.
[[nodiscard]] std::vector<StoredResult> FinalBeside(const Trajectory& run,
                                                    const std::string& report);

/// True for an attachment with what a run has recorded, as its trace; false for
/// a file that the experiment was made from.
[[nodiscard]] bool IsRecordOfRun(const std::string& attachment);

/// The files of the model of an experiment, with their contents at that time.
[[nodiscard]] FileSet StoredFiles(ExperimentStore& store,
                                  const ExperimentRecord& record);

/// True if the "final" of two reports is the same.
[[nodiscard]] bool HaveSameFinal(const std::string& a, const std::string& b);

/// A member of a document of an experiment that is no object.
struct DocumentMember {
  std::string name;   ///< With the name of the object it is in: "options stop".
  std::string value;  ///< A text without quotes; other values in JSON.
};

/// The members of a document of an experiment, in its order; an array has one
/// for each element.
[[nodiscard]] std::vector<DocumentMember> MembersOf(
    const std::string& document);

}  // namespace orrery
