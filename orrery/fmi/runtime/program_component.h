#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/files/state_stream.h"
#include "orrery/base/values/setting.h"
#include "orrery/fmi/runtime/component.h"
#include "orrery/fmi/runtime/exported_model.h"
#include "orrery/sim/operating_point.h"
#include "orrery/sim/simulation.h"

namespace orrery::fmi {

/// An instance of a model of equations.
class ProgramComponent final : public Component, public Exchange {
 public:
  ProgramComponent(std::shared_ptr<const ExportedModel> model, Use use);

  void Reset() override;

  /// @param stop none: the model's own, then 1 s after the start.
  void Setup(double start,
             std::optional<double> stop,
             std::optional<double> tolerance) override;

  void Start() override;
  [[nodiscard]] double Get(std::uint32_t reference, NumberType type) override;
  void Set(std::uint32_t reference, NumberType type, double value) override;
  StepEnd DoStep(double t, double step) override;

  /// @throws Error as Simulator::Save.
  [[nodiscard]] std::string Save() override;
  void Restore(std::string_view state) override;

  [[nodiscard]] Exchange& exchange() override { return *this; }

  void EnterEvent() noexcept override { has_event_ = true; }

  EventEnd UpdateDiscrete() override;
  void SetTime(double t) override;
  void SetStates(std::span<const double> x) override;
  void GetStates(std::span<double> x) override;
  void GetDerivatives(std::span<double> dx) override;
  void GetNominals(std::span<double> nominals) const override;
  void GetIndicators(std::span<double> indicators) override;
  bool CompleteStep() override;
  void Differentiate(std::span<const std::uint32_t> unknowns,
                     std::span<const std::uint32_t> knowns,
                     std::span<const double> seeds,
                     std::span<double> derivatives) override;

  [[nodiscard]] std::size_t num_states() const noexcept override {
    return model_->program->state_slots.size();
  }

  [[nodiscard]] std::size_t num_indicators() const noexcept override {
    return model_->program->events.relations.size();
  }

 private:
  [[nodiscard]] Setting SettingOf(std::uint32_t reference, double value) const;
  [[nodiscard]] Setting SettingOf(std::uint32_t reference,
                                  NumberType type,
                                  double value) const;
  void CheckType(std::uint32_t reference, NumberType type) const;
  [[nodiscard]] SimulationOptions Options() const;
  [[nodiscard]] std::vector<Setting> GivenSettings() const;
  Simulator& Run();
  OperatingPoint& Point();
  void Moved() noexcept;
  [[nodiscard]] std::optional<std::vector<double>> Motion();
  void Evaluate(bool with_outputs);
  void CheckSize(std::size_t size, std::size_t wanted) const;
  void CheckMoves(std::span<const std::uint32_t> knowns) const;
  void LinearPoint();
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
  Use use_;
  // Of Co-Simulation it goes where the run is when derivatives are asked for.
  std::optional<OperatingPoint> point_;
  // Model Exchange.
  std::map<std::uint32_t, Setting> set_;  // Since the start.
  bool has_event_ = false;
  bool are_derivatives_new_ = true;  // The point has moved since.
  bool are_outputs_new_ = true;
  bool are_indicators_new_ = true;
  std::vector<double> indicators_;  // Of this point, unless they are new.
};

}  // namespace orrery::fmi
