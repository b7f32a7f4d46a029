#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/files/state_stream.h"
#include "orrery/base/values/setting.h"
#include "orrery/fmi/runtime/exported_model.h"
#include "orrery/sim/operating_point.h"
#include "orrery/sim/simulation.h"

namespace orrery::fmi {

/// The kinds of number that functions of FMI get and set. Enumerations are
/// Integers.
using NumberType = orrery::ValueType;

/// An instance of an exported model, for both versions of FMI. Values that were
/// set before the start are those of the run; later ones hold from the present
/// time on. By Model Exchange its importer moves it between events. For one
/// thread.
class Component {
 public:
  enum class Use : std::uint8_t { kCoSimulation, kModelExchange };

  explicit Component(std::shared_ptr<const ExportedModel> model,
                     Use use = Use::kCoSimulation);

  /// Forgets the run and all values that were set.
  void Reset();

  /// The times of the run; before `Start`.
  /// @param stop none: the model's own, then 1 s after the start.
  void Setup(double start,
             std::optional<double> stop,
             std::optional<double> tolerance);

  /// Ends the initialisation. From then on values are those of the run.
  /// @throws Error if the model has no initial values.
  void Start();

  /// The present value. Before `Start` that of a run with what is set so far.
  /// @throws Error kInvalidArgument for an unknown reference or another type.
  [[nodiscard]] double Get(std::uint32_t reference, NumberType type);

  /// @throws Error kInvalidArgument as `Get`; for a value that the quantity
  ///     cannot have it may be thrown by the next call.
  void Set(std::uint32_t reference, NumberType type, double value);

  struct StepEnd {
    double reached = 0;
    bool is_terminated = false;  ///< By the model.
  };

  /// Goes on to `t` + `step` and carries out the event that is due there.
  /// @throws Error kInvalidArgument for a time in the past, kInvalidModel if
  ///     the run failed.
  StepEnd DoStep(double t, double step);

  // --- Model Exchange, after `Start`. It begins in an event.

  void EnterEvent() noexcept { has_event_ = true; }

  struct EventEnd {
    bool is_terminated = false;  ///< By the model.
    bool has_new_states = false;
    double next_time = 0;  ///< Infinity: no event is known.
  };

  /// Carries out the event.
  /// @throws Error kInvalidModel if it failed, as all that follow.
  EventEnd UpdateDiscrete();

  void SetTime(double t);
  void SetStates(std::span<const double> x);
  void GetStates(std::span<double> x);
  void GetDerivatives(std::span<double> dx);
  void GetNominals(std::span<double> nominals) const;
  void GetIndicators(std::span<double> indicators);

  /// @returns true if an event follows from the step.
  bool CompleteStep();

  /// Writes the derivatives of the unknowns, along the direction in which the
  /// knowns, states and inputs, have these seeds; exact ones.
  /// @throws Error kInvalidArgument for an unknown reference.
  void Differentiate(std::span<const std::uint32_t> unknowns,
                     std::span<const std::uint32_t> knowns,
                     std::span<const double> seeds,
                     std::span<double> derivatives);

  [[nodiscard]] std::size_t num_states() const noexcept {
    return model_->program->state_slots.size();
  }

  [[nodiscard]] std::size_t num_indicators() const noexcept {
    return NumActingRelations(*model_->program);
  }

  /// All that later results depend on, as bytes.
  /// @throws Error as Simulator::Save.
  [[nodiscard]] std::string Save();

  /// Goes back, or on, to a state of this or of another instance.
  /// @throws Error kInvalidModel for bytes that are no state of this FMU.
  void Restore(std::string_view state);

 private:
  [[nodiscard]] Setting SettingOf(std::uint32_t reference, double value) const;
  [[nodiscard]] Setting SettingOf(std::uint32_t reference,
                                  NumberType type,
                                  double value) const;
  void CheckType(std::uint32_t reference, NumberType type) const;
  [[nodiscard]] SimulationOptions Options() const;
  Simulator& Run();
  OperatingPoint& Point();
  void Evaluate(bool with_outputs);
  void CheckSize(std::size_t size, std::size_t wanted) const;
  double Indicator(std::size_t number);
  void ThrowIfFailed();
  void Transfer(StateStream& stream);
  void TransferPoint(StateStream& stream);
  void Transfer(StateStream& stream,
                std::map<std::uint32_t, Setting>& settings) const;

  std::shared_ptr<const ExportedModel> model_;
  double start_ = 0;
  std::optional<double> stop_;
  std::optional<double> tolerance_;
  bool is_started_ = false;
  std::map<std::uint32_t, Setting> given_;    // Before the start.
  std::map<std::uint32_t, Setting> changes_;  // Since the last step.
  std::optional<Simulator> run_;
  // Model Exchange.
  Use use_;
  std::optional<OperatingPoint> point_;
  std::map<std::uint32_t, Setting> set_;  // Since the start.
  bool has_event_ = false;
  bool are_derivatives_new_ = true;  // The point has moved since.
  bool are_outputs_new_ = true;
};

/// Reads the exported model among the resources of an FMU.
/// @param folder with or without a slash at its end.
/// @throws Error kIo, kInvalidModel; kInvalidArgument for another token.
[[nodiscard]] std::shared_ptr<const ExportedModel> LoadModel(
    const std::string& folder, std::string_view token);

}  // namespace orrery::fmi
