#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/containers/shared.h"
#include "orrery/base/diagnostic.h"
#include "orrery/results/event_log.h"
#include "orrery/results/trajectory.h"

namespace orrery {

/// The results of one run of an experiment.
struct SubjectRun {
  /// The rows up to the end of the run. A result without a history is a
  /// constant signal.
  Trajectory trajectory;
  EventLog events;
  /// Why the run did not complete, in one line; empty if it did.
  std::string failure;
  bool was_interrupted = false;  ///< The caller interrupted it.
  /// Warnings about the run, which may have completed nevertheless.
  std::vector<Diagnostic> warnings = {};
};

/// Returns false when runs are to stop. Called often, in any thread.
using GoesOn = std::function<bool()>;

/// Several runs, numbered from 0 on.
struct SubjectRuns {
  std::size_t count = 0;
  /// Writes the values of the varied quantities in run `i`. Called once for
  /// each run, in order.
  std::function<void(std::size_t i, std::span<double> values)> values;
  std::function<std::uint64_t(std::size_t i)> seed;
  /// Receives the results of each run, in any order. It is not called for runs
  /// that were never begun because GoesOn returned false.
  std::function<void(std::size_t i, SubjectRun run)> take;
};

/// Carries out runs of a Subject; for one thread at a time. The varied
/// quantities are among the signals of its runs.
class Runner {
 public:
  Runner() = default;
  virtual ~Runner() = default;
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Carries out one run. The result depends on the subject, the values and the
  /// seed only, bit for bit, and not on earlier runs.
  /// @param values of the varied quantities, as many as the runner was made
  ///     for.
  /// @param seed of the run's random numbers, if it has any.
  /// @param goes_on may be empty.
  /// @returns a run with a failure, too, if the model cannot run with the
  ///     values.
  [[nodiscard]] virtual SubjectRun Run(std::span<const double> values,
                                       std::uint64_t seed,
                                       const GoesOn& goes_on) = 0;

  /// Carries out several runs, each as `Run` does, perhaps side by side.
  /// @param num_varied number of varied quantities that the runner was made
  ///     for.
  /// @returns the greatest number of runs that it carries out side by side.
  virtual std::size_t RunAll(const SubjectRuns& runs,
                             std::size_t num_varied,
                             const GoesOn& goes_on);
};

/// The results that the caller needs of the runs. Plain data.
struct WantedResults {
  /// The names of signals; without a value, all signals of a run.
  std::optional<std::vector<std::string>> signals;
  /// True if only the last row of a run matters.
  bool last_row_only = false;
  /// True if signals between rows matter; false if `last_row_only`.
  bool between_rows = false;
  /// True to add, for each signal and each varied quantity, a signal of the
  /// derivative, named by SensitivityName; see Subject::IsDifferentiable.
  bool sensitivities = false;

  friend bool operator==(const WantedResults&, const WantedResults&) = default;
};

/// The kind of a quantity that may vary from run to run. Plain data.
struct VariedKind {
  std::string unit;
  bool is_whole = false;  ///< It takes whole numbers only.
  bool is_text = false;   ///< It takes texts; see TextValues.
  /// The names of its values 0, 1, ..., as in SignalInfo.
  Shared<std::vector<std::string>> value_names = {};
};

/// The texts that the values 0, 1, ... of a varied quantity stand for. Plain
/// data.
struct TextValues {
  std::string name;
  std::vector<std::string> values;
};

/// The texts for people and files: an empty one is a pair of double quotes.
[[nodiscard]] std::vector<std::string> NamesOfTexts(const TextValues& texts);

/// The object of an experiment: a model with everything that determines its
/// runs, except the values that vary. Immutable; any number of threads may use
/// it.
class Subject {
 public:
  Subject() = default;
  virtual ~Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  /// The name of the model.
  [[nodiscard]] virtual const std::string& name() const noexcept = 0;

  /// The signals that a run records.
  [[nodiscard]] virtual const SignalTable& signals() const noexcept = 0;

  /// Returns the kind of quantity `name`, which must be one that may vary.
  /// @throws Error kInvalidArgument if there is no such quantity, with the
  ///     nearest name, or if it may not vary.
  [[nodiscard]] virtual VariedKind KindOfVaried(
      const std::string& name) const = 0;

  /// Returns the same subject with varied parameters that are texts. Their
  /// values 0, 1, ... stand for these texts.
  /// @throws Error kInvalidArgument for a name that is no such parameter.
  [[nodiscard]] virtual std::shared_ptr<const Subject> WithTexts(
      std::vector<TextValues> texts) const;

  /// True if runs give exact derivatives of their signals by these quantities.
  /// @throws Error kInvalidArgument as KindOfVaried.
  [[nodiscard]] virtual bool IsDifferentiable(
      std::span<const std::string> /*names*/) const {
    return false;
  }

  /// @param names of the varied quantities.
  /// @throws Error kInvalidArgument as KindOfVaried.
  [[nodiscard]] virtual std::unique_ptr<Runner> MakeRunner(
      std::vector<std::string> names, const WantedResults& wanted) const = 0;
};

/// Returns the replacement for subject `i` of an experiment. Its runs are the
/// same, but are carried out elsewhere.
using SubjectStandIn = std::function<std::shared_ptr<const Subject>(
    std::size_t i, std::shared_ptr<const Subject> subject)>;

}  // namespace orrery
