#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/numbers/estimate.h"
#include "orrery/base/system/executor.h"
#include "orrery/base/time.h"
#include "orrery/base/values/parameters.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/results/csv.h"
#include "orrery/results/trajectory.h"
#include "orrery/sdk/classes/devs_model.h"
#include "orrery/sdk/runs/run_end.h"
#include "orrery/sim/simulation.h"

namespace orrery {

/// The options of a run of a DEVS model. Plain data.
struct DevsRunOptions {
  std::vector<ParameterText> settings;
  /// Default: the model's own, else the time when nothing is due any more.
  std::optional<Duration> stop;
  /// A condition that ends the run as soon as it holds, in Modelica's notation.
  /// Its variables are `time`, the numbers at the outputs of the outermost
  /// model (`port` or `port.field`) and the fields of states that atomic models
  /// give by `Describe` (`path.field`), with or without the name of the
  /// outermost model. Empty for none.
  std::string until;
  /// Formalism, seed, limit of microsteps, executor.
  devs::Options engine;
  /// Paths of models in order of priority, for models that are due at once in
  /// classic DEVS: see devs::Options::priority.
  std::vector<std::string> priority;

  /// Messages to the outermost model: a column `time` (else the first column),
  /// in seconds, and columns named as its inputs of numbers. Each cell with a
  /// number is a message. Columns of durations with a unit are converted to
  /// seconds; other messages have no unit, and are not converted.
  std::shared_ptr<const Table> inputs;

  /// True to record the outputs over time, false for their last values only.
  bool records_outputs = false;

  std::string trace;  ///< A file, .csv or .jsonl; empty for none.
  /// Is given the trace in CSV as it comes, whole lines; may be empty.
  std::function<void(std::string_view)> trace_text = {};
  std::vector<std::string> observed = {"*"};  ///< Paths of models in the trace.
};

/// The size of a model.
struct DevsModelSize {
  std::size_t atomics = 0;
  std::size_t couplings = 0;  ///< At all levels.

  friend bool operator==(const DevsModelSize&, const DevsModelSize&) = default;
};

[[nodiscard]] DevsModelSize SizeOf(const devs::Coupled& root);

using DevsOutcome = RunEnd;

/// The results of a run.
struct DevsRunResult {
  /// A number among the results.
  struct Value {
    std::string name;
    double value = 0;  ///< NaN if there is none.
    /// For an output: the time of the last message.
    std::optional<Duration> time;
  };

  DevsOutcome outcome = DevsOutcome::kCompleted;
  std::string message;  ///< Why it did not complete; else empty.
  Duration end{};       ///< Time reached.
  std::uint64_t seed = 0;
  devs::Statistics statistics;
  /// The last number at each output of the outermost model (`port`, or
  /// `port.field` where messages have several), then the model's results.
  std::vector<Value> values;
  Trajectory outputs;  ///< Over time, if recorded.
};

/// A run of a DEVS model that is made for it.
class DevsRun {
 public:
  /// Receives the time of a run. @returns false to stop it.
  using Watch = std::function<bool(Duration now, std::optional<Duration> stop)>;

  /// Makes the model and flattens it; reads the inputs.
  /// @throws Error as `DevsModel::Make` and `devs::Simulator` do;
  ///     kInvalidArgument for inputs that the model does not have or cannot
  ///     take, a pattern without a match, a stop time before 0, a condition
  ///     with unknown names, priorities of unknown models or in parallel DEVS,
  ///     or real time without a clock.
  DevsRun(const DevsModel& model, DevsRunOptions options);
  ~DevsRun();
  DevsRun(const DevsRun&) = delete;
  DevsRun& operator=(const DevsRun&) = delete;

  [[nodiscard]] const devs::Coupled& root() const noexcept { return *root_; }

  [[nodiscard]] const Parameters& parameters() const noexcept {
    return parameters_;
  }

  [[nodiscard]] const DevsModelSize& size() const noexcept { return size_; }

  /// The end of the run; without a value: when nothing is due any more.
  [[nodiscard]] std::optional<Duration> stop() const noexcept { return stop_; }

  /// Carries out the run, once.
  /// @param watch called now and then; may be empty.
  /// @throws Error kIo if a trace cannot be written, kInvalidArgument if it has
  ///     run already. Errors of the model are in the result.
  [[nodiscard]] DevsRunResult Run(const Watch& watch = {});

  /// For callers that step the run themselves, up to Finish().
  [[nodiscard]] devs::Simulator& simulator() noexcept { return *simulator_; }

  /// The messages of the recorded outputs since the last call. The first call
  /// gives all; so does one after another output has had its first message.
  [[nodiscard]] NewRows TakeNewRows();

  /// The results of the run where it is. Once.
  /// @param message why it did not complete.
  /// @throws Error as Run.
  [[nodiscard]] DevsRunResult Finish(DevsOutcome outcome,
                                     const std::string& message);

 private:
  class Recorders;
  class End;

  void TakeInputs(const Table& table);
  void CheckHasNotRun() const;

  DevsModel model_;
  DevsRunOptions options_;
  Parameters parameters_;
  std::unique_ptr<devs::Coupled> root_;
  DevsModelSize size_;
  std::optional<Duration> stop_;
  std::optional<devs::Simulator> simulator_;
  std::unique_ptr<Recorders> recorders_;
  std::unique_ptr<End> end_;  // Null if there is no condition.
  bool has_run_ = false;
};

/// Runs a model `count` times, each with its ReplicationSeed; some runs may
/// overlap. The results are in the order of their numbers.
/// @param watch may be called by several threads at once. After it has returned
///     false, runs that have not begun are left out.
/// @throws Error as `DevsRun` does.
[[nodiscard]] std::vector<DevsRunResult> Replicate(
    const DevsModel& model,
    const DevsRunOptions& options,
    std::int64_t count,
    Executor& executor,
    const DevsRun::Watch& watch = {});

/// The estimate of a number over several runs.
struct DevsEstimate {
  std::string name;
  Estimate estimate;
};

/// Returns the estimates of each number from the completed ones of `runs`, in
/// the order of first occurrence.
[[nodiscard]] std::vector<DevsEstimate> EstimateValues(
    std::span<const DevsRunResult> runs);

/// Writes the results of the runs as comma-separated values, a row a run:
/// `replication,seed,outcome,time` and the numbers by name. The file appears
/// complete or not at all.
/// @throws Error kInvalidArgument unless `path` ends in .csv, kIo if the file
///     cannot be written.
void WriteReplications(const std::string& path,
                       std::span<const DevsRunResult> runs);

/// Finds out whether the file can be written; changes nothing.
/// @throws Error as WriteReplications.
void CheckReplicationsFile(const std::string& path);

/// Finds out whether a trace can be written to `path`; changes nothing.
/// @throws Error kInvalidArgument for an ending that is not .csv or .jsonl, kIo
///     if the file cannot be written.
void CheckTraceFile(const std::string& path);

/// Carries out a run by the abstract simulators (see devs/reference.h), and
/// passes on each message between them as a line of text.
/// @throws Error as DevsRun does; kInvalidArgument without a stop time;
///     kUnsupported for inputs over time; kInvalidModel for errors of the
///     model.
void TellMessages(const DevsModel& model,
                  const DevsRunOptions& options,
                  const std::function<void(const std::string& line)>& tell);

/// The description of a port of a model.
struct DevsPort {
  std::string name;
  bool is_input = false;
  bool takes_numbers = false;  ///< Messages are numbers, as in
                               ///< `DevsRunOptions::inputs`.
};

/// The ports of an outermost model, in the order of construction.
[[nodiscard]] std::vector<DevsPort> PortsOf(const devs::Coupled& root);

}  // namespace orrery
