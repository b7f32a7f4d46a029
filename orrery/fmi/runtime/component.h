#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/files/state_stream.h"
#include "orrery/base/values/setting.h"
#include "orrery/fmi/runtime/exported_model.h"
#include "orrery/sim/simulation.h"

namespace orrery::fmi {

/// The kinds of number that functions of FMI get and set. Enumerations are
/// Integers.
using NumberType = orrery::ValueType;

/// An instance of an exported model by Co-Simulation, for both versions of FMI.
/// Values that were set before the start are those of the run; later ones hold
/// from the present time on. For one thread.
class Component {
 public:
  explicit Component(std::shared_ptr<const ExportedModel> model);

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
  void ThrowIfFailed();
  void Transfer(StateStream& stream);
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
};

/// Reads the exported model among the resources of an FMU.
/// @param folder with or without a slash at its end.
/// @throws Error kIo, kInvalidModel; kInvalidArgument for another token.
[[nodiscard]] std::shared_ptr<const ExportedModel> LoadModel(
    const std::string& folder, std::string_view token);

}  // namespace orrery::fmi
