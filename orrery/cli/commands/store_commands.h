#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orrery/cli/commands/commands.h"
#include "orrery/cli/terminal/columns.h"
#include "orrery/sdk/experiments.h"

namespace orrery::cli {

/// What commands on experiments in the store were asked for.
struct StoreCommand {
  /// The store, and what is to be plotted and printed.
  RunCommand run;
  ExperimentId id = 0;
  ExperimentId other = 0;             ///< To compare with.
  std::vector<ExperimentId> ids;      ///< To be deleted.
  ExperimentFilter filter;            ///< Of a list.
  std::string text;                   ///< A tag, a note or a file.
  std::vector<std::string> settings;  ///< NAME=VALUE, of a rerun.
  WhereToRun where;                   ///< Of a rerun or a resumption.
};

int List(const StoreCommand& command);
int Show(const StoreCommand& command);
int Export(const StoreCommand& command);
int Compare(const StoreCommand& command);

/// Runs an experiment again, with other settings if there are any; without
/// them, says whether the results are the same.
int Rerun(const StoreCommand& command);

/// Carries out what is missing or failed of an experiment.
int Resume(const StoreCommand& command);

/// @throws Error kInvalidArgument if it is not known what an experiment came
///     to: it runs still, or was killed.
void RequireResults(const ExperimentRecord& record);

/// What an experiment came to: its only run, all of them as one table, or the
/// responses of an analysis.
/// @throws Error as RequireResults.
[[nodiscard]] Trajectory ResultsOf(ExperimentStore& store,
                                   const ExperimentRecord& record);

/// What of an experiment's document is set, for people: names and values.
[[nodiscard]] std::vector<Row> DocumentRows(const std::string& document);

/// The files that an experiment was made from, as they were then.
[[nodiscard]] FileSet StoredFiles(ExperimentStore& store,
                                  const ExperimentRecord& record);

/// The store that the command is about, to be read unless it says otherwise.
/// @throws Error as ExperimentStore; kIo if there is none.
[[nodiscard]] ExperimentStore OpenStore(const StoreCommand& command,
                                        const StoreOptions& options = {
                                            .read_only = true});

}  // namespace orrery::cli
