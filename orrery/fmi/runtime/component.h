#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "orrery/base/values/setting.h"
#include "orrery/symbolic/op.h"

namespace orrery::fmi {

/// The kinds of number that functions of FMI get and set. Enumerations are
/// Integers.
using NumberType = orrery::ValueType;

/// The functions of Model Exchange, after the start of an instance, which
/// begins in an event. Its importer moves it between events.
class Exchange {
 public:
  Exchange() = default;
  virtual ~Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  virtual void EnterEvent() noexcept = 0;

  struct EventEnd {
    bool is_terminated = false;   ///< By the model.
    std::string message;          ///< What it says at its end.
    bool has_new_states = false;  ///< Or derivatives.
    double next_time = 0;         ///< Infinity: no event is known.
  };

  /// Carries out the event.
  /// @throws Error kInvalidModel if it failed, as all that follow.
  virtual EventEnd UpdateDiscrete() = 0;

  virtual void SetTime(double t) = 0;
  virtual void SetStates(std::span<const double> x) = 0;
  virtual void GetStates(std::span<double> x) = 0;
  virtual void GetDerivatives(std::span<double> dx) = 0;
  virtual void GetNominals(std::span<double> nominals) const = 0;
  virtual void GetIndicators(std::span<double> indicators) = 0;

  /// @returns true if an event follows from the step.
  virtual bool CompleteStep() = 0;

  /// Writes the derivatives of the unknowns, along the direction in which the
  /// knowns, states and inputs, have these seeds; exact ones.
  /// @throws Error kInvalidArgument for an unknown reference.
  virtual void Differentiate(std::span<const std::uint32_t> unknowns,
                             std::span<const std::uint32_t> knowns,
                             std::span<const double> seeds,
                             std::span<double> derivatives) = 0;

  [[nodiscard]] virtual std::size_t num_states() const noexcept = 0;
  [[nodiscard]] virtual std::size_t num_indicators() const noexcept = 0;
};

/// An instance of an FMU that Orrery wrote, for both versions of FMI. Values
/// that were set before the start are those of the run; later ones hold from
/// the present time on. For one thread. It has as many functions as the
/// standards have calls.
class Component {
 public:
  enum class Use : std::uint8_t { kCoSimulation, kModelExchange };

  Component() = default;
  virtual ~Component() = default;
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;

  /// Forgets the run and all values that were set.
  virtual void Reset() = 0;

  /// The times of the run; before `Start`.
  /// @param stop none: the model's own.
  virtual void Setup(double start,
                     std::optional<double> stop,
                     std::optional<double> tolerance) = 0;

  /// Ends the initialisation. From then on values are those of the run.
  /// @throws Error if the model has no initial values.
  virtual void Start() = 0;

  /// The present value. Before `Start` that of a run with what is set so far.
  /// @throws Error kInvalidArgument for an unknown reference or another type.
  [[nodiscard]] virtual double Get(std::uint32_t reference,
                                   NumberType type) = 0;

  /// @throws Error kInvalidArgument as `Get`; for a quantity that cannot be set
  ///     now, and for a value that it cannot have.
  virtual void Set(std::uint32_t reference, NumberType type, double value) = 0;

  /// The same for texts; without any of them, all references are unknown.
  [[nodiscard]] virtual std::string GetText(std::uint32_t reference);
  virtual void SetText(std::uint32_t reference, const std::string& text);

  struct StepEnd {
    double reached = 0;
    bool is_terminated = false;  ///< By the model.
    std::string message = {};    ///< What it says at its end.
  };

  /// Goes on to `t` + `step` and carries out the event that is due there.
  /// @throws Error kInvalidArgument for a time in the past, kInvalidModel if
  ///     the run failed.
  virtual StepEnd DoStep(double t, double step) = 0;

  /// All that later results depend on, as bytes.
  /// @throws Error kUnsupported for a model that cannot tell it.
  [[nodiscard]] virtual std::string Save() = 0;

  /// Goes back, or on, to a state of this or of another instance.
  /// @throws Error kInvalidModel for bytes that are no state of this FMU.
  virtual void Restore(std::string_view state) = 0;

  /// @throws Error kUnsupported for a model that others cannot integrate.
  [[nodiscard]] virtual Exchange& exchange();
};

/// @param path the file with the model, for the message.
/// @throws Error kInvalidArgument for a token that is not the model's.
void CheckToken(std::string_view given,
                const std::string& its,
                const std::string& path);

/// Checks that a step goes on from where the model is, and not back.
/// @param at where the model is; like `t` in s. A master that adds up its steps
///     is off by some rounding errors of each.
/// @returns how far such times may lie apart, in s.
/// @throws Error kInvalidArgument.
[[nodiscard]] double CheckStep(double t, double step, double at);

/// Makes an instance of the model among the resources of an FMU. Each kind of
/// model has its own function of this name.
/// @param folder with or without a slash at its end.
/// @throws Error kIo, kInvalidModel; kInvalidArgument for another token.
[[nodiscard]] std::unique_ptr<Component> MakeComponent(
    const std::string& folder, std::string_view token, Component::Use use);

}  // namespace orrery::fmi
