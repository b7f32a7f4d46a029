#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/fmi/clocks/running_clocks.h"
#include "orrery/fmi/continuous_calls.h"
#include "orrery/fmi/exchange/call_guard.h"
#include "orrery/fmi/exchange/exchange_layout.h"
#include "orrery/fmi/instance.h"
#include "orrery/fmi/library.h"
#include "orrery/fmi/settings.h"
#include "orrery/symbolic/foreign_model.h"

namespace orrery::fmi {

/// An FMU for Model Exchange: its code and the roles of its variables.
/// Immutable; shared by threads.
class ExchangeModel final : public ForeignModel {
 public:
  /// Loads the code, unless models are only examined.
  /// @param texts values of parameters that are Strings or Binaries.
  /// @param sizes values of structural parameters.
  /// @throws Error as Library, ReadSettings and WithSizes.
  ExchangeModel(const Fmu& fmu,
                std::span<const ParameterText> texts,
                std::span<const ParameterText> sizes);

  [[nodiscard]] const Description& description() const noexcept {
    return *fmu_.description;
  }

  [[nodiscard]] const ExchangeLayout& layout() const noexcept {
    return layout_;
  }

  [[nodiscard]] const Interface& interface() const noexcept {
    return interface_;
  }

  /// The name of the model.
  [[nodiscard]] const std::string& name() const override {
    return description().model_name;
  }

  /// @throws Error as fmi::MakeInstance; kUnsupported if models are only
  ///     examined.
  [[nodiscard]] std::unique_ptr<ForeignInstance> MakeInstance() const override;

 private:
  friend class ExchangeInstance;

  Fmu fmu_;
  const Interface& interface_;              // Its description's.
  std::shared_ptr<const Library> library_;  // Null: only examined.
  ExchangeLayout layout_;
  std::vector<FmuSetting> texts_;
  std::vector<InputClock> clocks_;
};

/// The results of an FMU for a time, states and continuous inputs.
struct Computed {
  enum class Kind : std::uint8_t {
    kDerivatives,
    kIndicators,
    kResults  ///< One of `ExchangeLayout::results`, number `group`.
  };

  Kind kind = Kind::kDerivatives;
  std::size_t group = 0;
};

/// An instance in one run. It follows the time, states and inputs at which it
/// is asked, and sets what differs from before (FMI 3.0.2, section 3.2).
///
/// It is initialized up to the first update: so inputs that depend on its
/// outputs can be sought.
///
/// Each start and each update of its discrete states begins another epoch, a
/// number. Who asks for values gives the epoch of its own values: a past one
/// cannot be had.
///
/// All functions throw CallFailure. After a failure that is no kDiscard, each
/// further call throws it again.
class ExchangeInstance final : public ForeignInstance {
 public:
  /// @param model must outlive it.
  explicit ExchangeInstance(const ExchangeModel& model);
  ExchangeInstance(const ExchangeInstance&) = delete;
  ExchangeInstance& operator=(const ExchangeInstance&) = delete;
  ~ExchangeInstance() override;

  /// @returns the instance with this handle.
  /// @throws Error kInvalidModel if there is none.
  [[nodiscard]] static ExchangeInstance& Of(double handle);

  [[nodiscard]] std::string EndWords() const override {
    return is_terminated_ ? instance_->log().AsHint() : std::string();
  }

  /// Time, states and continuous inputs; NaN for an input that nothing asked
  /// for depends on.
  struct Point {
    double t = 0;  ///< s
    std::span<const double> x;
    std::span<const double> u;
  };

  /// The values that a run begins with.
  struct StartValues {
    double t = 0;  ///< s
    std::span<const double> parameters;
    std::span<const double> x;  ///< Only exact ones are used.
    std::span<const double> discrete_inputs;
  };

  /// The outcome of an update.
  struct Update {
    double next_time = std::numeric_limits<double>::max();  ///< s
    bool goes_on = false;
    bool is_terminated = false;
  };

  /// Begins a run; does nothing if it has just begun with the same values.
  void Start(const StartValues& values);

  /// The states at the start.
  /// @param u as in `Point`.
  void GetStartStates(std::span<const double> u,
                      double epoch,
                      std::span<double> x);

  /// What comes from outside at an event.
  struct EventInputs {
    std::span<const double> discrete;
    std::span<const double> tick_counts;  ///< By triggered clock.
    std::span<const double> parameters;
  };

  /// Carries out a pass of the discrete iteration at a point.
  [[nodiscard]] Update UpdateDiscreteStates(const Point& at,
                                            const EventInputs& inputs);

  /// Tells the FMU that a step ends at a point.
  /// @returns true if it wants an event.
  [[nodiscard]] bool CompleteStep(const Point& at, double epoch);

  void Compute(Computed what,
               const Point& at,
               double epoch,
               std::span<double> values);

  /// Exact derivatives of derivatives or outputs; along the time by
  /// differences.
  void Differentiate(Computed what,
                     const Point& at,
                     double epoch,
                     const Point& direction,
                     std::span<double> values);

  /// Variables of clocks hold between their ticks.
  void GetDiscrete(double epoch, std::span<double> values);

  /// The counts of ticks of the FMU's own clocks.
  void GetTickCounts(double epoch, std::span<double> counts);

  /// The states as of the last start or update.
  [[nodiscard]] std::span<const double> x() const noexcept { return x_; }

  [[nodiscard]] double epoch() const noexcept { return epoch_; }

 private:
  enum class Mode : std::uint8_t { kNew, kInitial, kEvent, kContinuous };

  void CheckEpoch(double epoch) const;
  void GoTo(const Point& at);
  void ComputeInitially(Computed what, std::span<double> values);
  void SetInputs(std::span<const double> inputs);
  void SetTime(double t);
  void LeaveEventMode();
  void EnterEventMode(const Point& at);
  void TellStep(double t);
  void SortDiscrete();
  void SetDiscrete(std::span<const double> inputs);
  void LetTick(std::span<const double> tick_counts);
  void GetClocked(bool are_all_active);
  DiscreteUpdate UpdateOnce(const EventInputs& inputs);

  const ExchangeModel& model_;
  std::unique_ptr<Instance> instance_;
  ContinuousCalls& calls_;
  std::vector<ReferenceGroup> state_groups_;
  std::vector<ReferenceGroup> rate_groups_;
  // By group of results, by type.
  std::vector<std::vector<ReferenceGroup>> result_groups_;
  std::vector<ReferenceGroup> discrete_groups_;  // Of no clock.
  std::vector<std::size_t> clocked_;  // Places among variables of `discrete`.
  std::optional<RunningClocks> clocks_;
  std::vector<std::vector<std::uint32_t>> result_references_;
  std::vector<std::uint32_t> rate_references_;
  std::vector<std::uint32_t> known_references_;

  Mode mode_ = Mode::kNew;
  bool is_updated_ = false;     // In event mode: no pass is wanted.
  bool is_terminated_ = false;  // The FMU has said so.
  int passes_ = 0;              // Count of the discrete iteration, at t_.
  double epoch_ = 0;
  double t_ = 0;
  double completed_ = 0;  // Time of the last completed step.
  std::vector<double> x_;
  std::vector<double> parameters_;
  std::vector<double> continuous_inputs_;
  std::vector<double> discrete_inputs_;
  std::vector<double> clocked_values_;  // As `discrete`; 0 for others.
  std::vector<double> tick_counts_;     // By triggered clock.
  std::vector<double> start_x_;
  std::vector<double> seed_;
  std::vector<double> inputs_;  // Scratch.
  CallGuard guard_;
};

}  // namespace orrery::fmi
