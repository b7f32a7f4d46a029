#pragma once

#include <string>
#include <vector>

#include "orrery/cli/request/requests.h"
#include "orrery/sdk/experiments.h"

namespace orrery::cli {

/// The options of commands on experiments in the store.
struct StoreCommand {
  /// The store, and the options on plots and printing.
  RunCommand run;
  ExperimentId id = 0;
  ExperimentId other = 0;             ///< To compare with `id`.
  std::vector<ExperimentId> ids;      ///< To be deleted.
  ExperimentFilter filter;            ///< For `list`.
  std::string text;                   ///< A tag, a note or a file.
  std::vector<std::string> settings;  ///< NAME=VALUE, for a rerun.
  WhereToRun where;                   ///< For a rerun or a resumption.
};

int List(const StoreCommand& command);
int Show(const StoreCommand& command);
int Export(const StoreCommand& command);

/// @throws Error kInvalidArgument if the results of an experiment are unknown,
///     because it is still running or was killed.
void RequireResults(const ExperimentRecord& record);

/// The results of an experiment: its only run, the table of all runs, or the
/// responses of an analysis.
/// @throws Error as RequireResults.
[[nodiscard]] Trajectory ResultsOf(ExperimentStore& store,
                                   const ExperimentRecord& record);

/// The store of the command, read-only unless `options` say otherwise.
/// @throws Error as ExperimentStore; kIo if there is none.
[[nodiscard]] ExperimentStore OpenStore(const StoreCommand& command,
                                        const StoreOptions& options = {
                                            .read_only = true});

}  // namespace orrery::cli
