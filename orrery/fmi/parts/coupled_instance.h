#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/fmi/exchange/call_guard.h"
#include "orrery/fmi/exchange/exchange_layout.h"
#include "orrery/fmi/instance.h"
#include "orrery/fmi/library.h"
#include "orrery/fmi/settings.h"
#include "orrery/fmi/stepping/stepped_fmu.h"
#include "orrery/solver/steps/decimal_grid.h"
#include "orrery/symbolic/foreign_model.h"

namespace orrery::fmi {

/// An FMU for Co-Simulation as a part of equations: its code, the roles of its
/// variables and the time between its communication points. Immutable; shared
/// by threads.
class CoupledModel final : public ForeignModel {
 public:
  /// Loads the code, unless models are only examined.
  /// @param texts values of parameters that are Strings or Binaries.
  /// @param step of runs that do not set it, s; none: that of the FMU's
  ///     experiment, else 1/500 of its length.
  /// @throws Error as Library and ReadSettings; kUnsupported for an FMU that
  ///     needs its tool; kInvalidArgument for a step that it cannot take.
  CoupledModel(const Fmu& fmu,
               std::span<const ParameterText> texts,
               std::optional<double> step);

  [[nodiscard]] const Description& description() const noexcept {
    return *fmu_.description;
  }

  [[nodiscard]] const ExchangeLayout& layout() const noexcept {
    return layout_;
  }

  /// All that it computes: what has a start that can be set, then the groups of
  /// results.
  [[nodiscard]] const VariableRow& computed() const noexcept {
    return computed_;
  }

  /// The time between communication points where a run does not set it, s.
  [[nodiscard]] double step() const noexcept { return step_; }

  /// The name of the model.
  [[nodiscard]] const std::string& name() const override {
    return description().model_name;
  }

  [[nodiscard]] bool moves_in_steps() const noexcept override { return true; }

  /// @throws Error as fmi::MakeInstance; kUnsupported if models are only
  ///     examined.
  [[nodiscard]] std::unique_ptr<ForeignInstance> MakeInstance() const override;

 private:
  friend class CoupledInstance;

  Fmu fmu_;
  std::shared_ptr<const Library> library_;  // Null: only examined.
  ExchangeLayout layout_;
  VariableRow computed_;
  std::vector<FmuSetting> texts_;
  double step_;
};

/// An instance in one run. It is initialized with the start values of the run,
/// and leaves the initialization in the run's first event. From then on, in
/// the event at each communication point, it steps from the last point to this
/// one (FMI 3.0.2, chapter 4).
///
/// Each start and each step begins another epoch, a number, as in
/// ExchangeInstance. A step that is asked for once more has the same results.
///
/// All functions throw CallFailure. After a failure that is no kDiscard, each
/// further call throws it again, up to the next start.
class CoupledInstance final : public ForeignInstance {
 public:
  /// @param model must outlive it.
  explicit CoupledInstance(const CoupledModel& model);
  CoupledInstance(const CoupledInstance&) = delete;
  CoupledInstance& operator=(const CoupledInstance&) = delete;
  ~CoupledInstance() override;

  /// @returns the instance with this handle.
  /// @throws Error kInvalidModel if there is none.
  [[nodiscard]] static CoupledInstance& Of(double handle);

  [[nodiscard]] std::string EndWords() const override;

  /// The values that a run begins with.
  struct StartValues {
    double t = 0;     ///< s
    double step = 0;  ///< Between communication points, s.
    std::span<const double> parameters;
    std::span<const double> starts;  ///< Of `ExchangeLayout::states`.
    std::span<const double> discrete_inputs;
  };

  /// What comes from outside.
  struct Given {
    std::span<const double> continuous_inputs;
    std::span<const double> discrete_inputs;
    std::span<const double> parameters;
  };

  /// What a step has led to.
  struct StepResult {
    double next_time = std::numeric_limits<double>::max();  ///< s
    bool is_terminated = false;
    std::span<const double> values;  ///< Of `CoupledModel::computed`.
  };

  /// Begins a run; does nothing if it has just begun with the same values.
  void Start(const StartValues& values);

  /// A group of results at the start.
  /// @param u continuous inputs; NaN for one that the group does not depend on.
  void GetAtStart(std::size_t group,
                  std::span<const double> u,
                  double epoch,
                  std::span<double> values);

  /// Leaves the initialization, or goes on to the next communication point with
  /// inputs that hold since the last.
  [[nodiscard]] StepResult GoOn(const Given& given, double epoch);

  [[nodiscard]] double epoch() const noexcept { return epoch_; }

 private:
  enum class Mode : std::uint8_t { kNew, kInitial, kStepping };

  void Begin(const StartValues& values);
  void CheckIsAt(double epoch) const;
  void SetInputs(const Given& given, bool jump);
  void Step(const Given& given);
  void TakeResults();

  const CoupledModel& model_;
  std::optional<SteppedFmu> fmu_;
  // By group of results, by type.
  std::vector<std::vector<ReferenceGroup>> result_groups_;
  std::vector<ReferenceGroup> computed_groups_;

  Mode mode_ = Mode::kNew;
  double epoch_ = 0;
  DecimalGrid points_;
  std::int64_t point_ = 0;  // The number of the last communication point.
  std::vector<double> parameters_;
  std::vector<double> starts_;
  std::vector<double> continuous_inputs_;
  std::vector<double> discrete_inputs_;
  std::vector<double> inputs_;  // Scratch.
  std::vector<double> values_;
  CallGuard guard_;
};

}  // namespace orrery::fmi
