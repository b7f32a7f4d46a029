#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/estimate.h"
#include "orrery/base/executor.h"
#include "orrery/base/parameters.h"
#include "orrery/base/time.h"
#include "orrery/devs/simulator.h"
#include "orrery/results/csv.h"
#include "orrery/results/trajectory.h"
#include "orrery/sdk/devs_model.h"
#include "orrery/sdk/run_end.h"
#include "orrery/sim/simulation.h"

namespace orrery {

/// How a DEVS model is to be run. Plain data.
struct DevsRunOptions {
  std::vector<ParameterText> settings;
  /// Default: the model's own, else when nothing is due any more.
  std::optional<Duration> stop;
  /// Ends the run where it comes to hold: a condition in Modelica's notation
  /// over `time`, the numbers at the outputs of the outermost model (`port` or
  /// `port.field`) and what atomic models tell of their states by `Describe`
  /// (`path.field`), with or without the name of the outermost model. Empty for
  /// none.
  std::string until;
  /// Formalism, seed, bound of microsteps, executor.
  devs::Options engine;
  /// Paths of models, from the one that comes first where several are due at
  /// once in classic DEVS: see devs::Options::priority.
  std::vector<std::string> priority;

  /// What arrives at the outermost model: a column `time` (else the first
  /// column), in seconds, and columns named as its inputs of numbers. Each cell
  /// with a number is a message. Columns of durations with a unit are converted
  /// to seconds; other messages have no unit, and are taken as they are.
  std::shared_ptr<const Table> inputs;

  /// Whether the outputs are kept over time, or their last values only.
  bool records_outputs = false;

  std::string trace;  ///< A file, .csv or .jsonl; empty for none.
  std::vector<std::string> observed = {"*"};  ///< Paths of models in the trace.
};

/// What a model consists of.
struct DevsModelSize {
  std::size_t atomics = 0;
  std::size_t couplings = 0;  ///< At all levels.

  friend bool operator==(const DevsModelSize&, const DevsModelSize&) = default;
};

[[nodiscard]] DevsModelSize SizeOf(const devs::Coupled& root);

using DevsOutcome = RunEnd;

/// What a run leaves.
struct DevsRunResult {
  /// A number that a run comes to.
  struct Value {
    std::string name;
    double value = 0;  ///< NaN if there is none.
    /// Of the last message, for an output.
    std::optional<Duration> time;
  };

  DevsOutcome outcome = DevsOutcome::kCompleted;
  std::string message;  ///< Why it did not complete; else empty.
  Duration end{};       ///< Reached.
  std::uint64_t seed = 0;
  devs::Statistics statistics;
  /// The last number at each output of the outermost model (`port`, or
  /// `port.field` where messages have several), then the model's results.
  std::vector<Value> values;
  Trajectory outputs;  ///< Over time, if they were to be recorded.
};

/// A run of a DEVS model that is made for it.
class DevsRun {
 public:
  /// Where a run is. @returns whether it is to go on.
  using Watch = std::function<bool(Duration now, std::optional<Duration> stop)>;

  /// Makes the model and flattens it; takes the inputs.
  /// @throws Error as `DevsModel::Make` and `devs::Simulator` do;
  ///     kInvalidArgument for inputs that the model does not have or cannot
  ///     take, a pattern that fits nothing, a stop time before 0, a condition
  ///     over what there is not, priorities of models that there are not or in
  ///     parallel DEVS, or no clock for real time.
  DevsRun(const DevsModel& model, DevsRunOptions options);
  ~DevsRun();
  DevsRun(const DevsRun&) = delete;
  DevsRun& operator=(const DevsRun&) = delete;

  [[nodiscard]] const devs::Coupled& root() const noexcept { return *root_; }

  [[nodiscard]] const Parameters& parameters() const noexcept {
    return parameters_;
  }

  [[nodiscard]] const DevsModelSize& size() const noexcept { return size_; }

  /// Where it ends; none: when nothing is due any more.
  [[nodiscard]] std::optional<Duration> stop() const noexcept { return stop_; }

  /// Carries it out, once.
  /// @param watch is asked now and then; may be empty.
  /// @throws Error kIo if a trace cannot be written, kInvalidArgument if it has
  ///     run already. What a model does wrong is told in the result.
  [[nodiscard]] DevsRunResult Run(const Watch& watch = {});

  /// For who carries it on himself, up to Finish().
  [[nodiscard]] devs::Simulator& simulator() noexcept { return *simulator_; }

  /// What left by the outputs since this was called last, if they are recorded;
  /// all at the first call, and again once another output has had a message.
  [[nodiscard]] NewRows TakeNewRows();

  /// What it leaves where it is, once.
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

/// Runs a model `count` times, each with its ReplicationSeed, in the order of
/// their numbers, some at the same time.
/// @param watch may be called by several threads at once; when it has said that
///     they are not to go on, those not begun are left out.
/// @throws Error as `DevsRun` does.
[[nodiscard]] std::vector<DevsRunResult> Replicate(
    const DevsModel& model,
    const DevsRunOptions& options,
    std::int64_t count,
    Executor& executor,
    const DevsRun::Watch& watch = {});

/// A number of several runs.
struct DevsEstimate {
  std::string name;
  Estimate estimate;
};

/// What the completed ones of `runs` say of each number, in the order in which
/// these come first.
[[nodiscard]] std::vector<DevsEstimate> EstimateValues(
    std::span<const DevsRunResult> runs);

/// The numbers of the runs as comma-separated values, a row a run:
/// `replication,seed,outcome,time` and the numbers by name, into a file that
/// appears whole or not at all.
/// @throws Error kInvalidArgument unless `path` ends in .csv, kIo if the file
///     cannot be written.
void WriteReplications(const std::string& path,
                       std::span<const DevsRunResult> runs);

/// Finds out whether it can be written; nothing is changed.
/// @throws Error as it does.
void CheckReplicationsFile(const std::string& path);

/// Finds out whether a trace can be written to `path`; nothing is changed.
/// @throws Error kInvalidArgument for an ending that is not .csv or .jsonl, kIo
///     if the file cannot be written.
void CheckTraceFile(const std::string& path);

/// Carries out a run by the abstract simulators (see devs/reference.h), and
/// tells each message between them, as a line of text.
/// @throws Error as DevsRun does; kInvalidArgument without a time to stop at;
///     kUnsupported for inputs over time; kInvalidModel for what the model does
///     wrong.
void TellMessages(const DevsModel& model,
                  const DevsRunOptions& options,
                  const std::function<void(const std::string& line)>& tell);

/// A port of a model, for people.
struct DevsPort {
  std::string name;
  bool is_input = false;
  bool takes_numbers = false;  ///< As those of `DevsRunOptions::inputs` are.
};

/// The ports of an outermost model, in the order of construction.
[[nodiscard]] std::vector<DevsPort> PortsOf(const devs::Coupled& root);

}  // namespace orrery
