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

/// What one run of an experiment leaves.
struct SubjectRun {
  /// Up to where the run ended. What a run comes to without a history is a
  /// constant in it.
  Trajectory trajectory;
  EventLog events;
  /// Why it did not complete, in one line; empty if it did.
  std::string failure;
  bool was_interrupted = false;  ///< By who asked for it.
  /// What is doubtful about it though it may have completed.
  std::vector<Diagnostic> warnings = {};
};

/// Whether runs are to go on. Asked often, by any thread.
using GoesOn = std::function<bool()>;

/// Several runs, numbered from 0 on.
struct SubjectRuns {
  std::size_t count = 0;
  /// Writes the values of what varies in run `i`. Called once for each run, in
  /// order.
  std::function<void(std::size_t i, std::span<double> values)> values;
  std::function<std::uint64_t(std::size_t i)> seed;
  /// Gets what each run comes to, in any order; not of those that were not
  /// begun because they were not to go on.
  std::function<void(std::size_t i, SubjectRun run)> take;
};

/// Carries out runs of a Subject; for one thread at a time. What varies is
/// among the signals of its runs.
class Runner {
 public:
  Runner() = default;
  virtual ~Runner() = default;
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// One run. It is determined by the subject, the values and the seed, bit for
  /// bit, whatever ran before.
  /// @param values of what varies, as many as the runner was made for.
  /// @param seed of the run's random numbers, where it has any.
  /// @param goes_on may be empty.
  /// @returns a failure for values that the model cannot run with, too.
  [[nodiscard]] virtual SubjectRun Run(std::span<const double> values,
                                       std::uint64_t seed,
                                       const GoesOn& goes_on) = 0;

  /// Several runs, each as `Run` makes it, perhaps side by side.
  /// @param num_varied as many values as the runner was made for.
  /// @returns how many it carries out side by side if it gets so many.
  virtual std::size_t RunAll(const SubjectRuns& runs,
                             std::size_t num_varied,
                             const GoesOn& goes_on);
};

/// What is wanted of the runs. Plain data.
struct WantedResults {
  /// The names of signals; empty optional: all that a run records.
  std::optional<std::vector<std::string>> signals;
  /// Whether only the last row of a run matters.
  bool last_row_only = false;
  /// Whether what lies between rows matters; not where only the last one does.
  bool between_rows = false;
  /// Whether there are to be signals for how each one moves with each of what
  /// varies, called as SensitivityName says; see Subject::IsDifferentiable.
  bool sensitivities = false;

  friend bool operator==(const WantedResults&, const WantedResults&) = default;
};

/// What may vary from run to run. Plain data.
struct VariedKind {
  std::string unit;
  bool is_whole = false;  ///< It takes whole numbers alone.
  bool is_text = false;   ///< It takes texts; see TextValues.
  /// What its values 0, 1, ... are called, as in SignalInfo.
  Shared<std::vector<std::string>> value_names = {};
};

/// The texts that the values 0, 1, ... of what varies stand for. Plain data.
struct TextValues {
  std::string name;
  std::vector<std::string> values;
};

/// A model with all that determines its runs but the values that vary: what an
/// experiment is made on. Immutable; to be used by any number of threads.
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

  /// Whether what is called `name` may vary from run to run, and its kind.
  /// @throws Error kInvalidArgument for what is not there, with the nearest
  ///     name, or may not.
  [[nodiscard]] virtual VariedKind KindOfVaried(
      const std::string& name) const = 0;

  /// The same where the values of some parameters that are texts vary: 0, 1,
  /// ... stand for these.
  /// @throws Error kInvalidArgument for what is no such parameter.
  [[nodiscard]] virtual std::shared_ptr<const Subject> WithTexts(
      std::vector<TextValues> texts) const;

  /// Whether runs can tell how their signals move with these, exactly.
  /// @throws Error kInvalidArgument as KindOfVaried.
  [[nodiscard]] virtual bool IsDifferentiable(
      std::span<const std::string> /*names*/) const {
    return false;
  }

  /// @param names of what varies.
  /// @throws Error kInvalidArgument as KindOfVaried.
  [[nodiscard]] virtual std::unique_ptr<Runner> MakeRunner(
      std::vector<std::string> names, const WantedResults& wanted) const = 0;
};

/// What is to stand for subject `i` of an experiment: one whose runs are the
/// same, but carried out elsewhere.
using SubjectStandIn = std::function<std::shared_ptr<const Subject>(
    std::size_t i, std::shared_ptr<const Subject> subject)>;

}  // namespace orrery
