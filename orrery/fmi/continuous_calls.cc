#include "orrery/fmi/continuous_calls.h"

#include <cstddef>

namespace orrery::fmi::internal {
namespace {

// fmi2EventInfo.
struct EventInfo2 {
  int needs_update;
  int is_terminated;
  int has_new_nominals;
  int has_new_states;
  int has_next_time;
  double next_time;
};

// The names of the functions, and what differs between the versions.
struct Version2 {
  using Boolean = int;
  static constexpr auto kReset = "fmi2Reset";
  static constexpr auto kEnterEventMode = "fmi2EnterEventMode";
  static constexpr auto kUpdate = "fmi2NewDiscreteStates";
  static constexpr auto kEnterContinuousTime = "fmi2EnterContinuousTimeMode";
  static constexpr auto kSetTime = "fmi2SetTime";
  static constexpr auto kSetStates = "fmi2SetContinuousStates";
  static constexpr auto kGetStates = "fmi2GetContinuousStates";
  static constexpr auto kGetDerivatives = "fmi2GetDerivatives";
  static constexpr auto kGetIndicators = "fmi2GetEventIndicators";
  static constexpr auto kCompleteStep = "fmi2CompletedIntegratorStep";
  static constexpr auto kDifferentiate = "fmi2GetDirectionalDerivative";

  int (*update)(void*, EventInfo2*) = nullptr;
  int (*differentiate)(void*,
                       const unsigned*,
                       std::size_t,
                       const unsigned*,
                       std::size_t,
                       const double*,
                       double*) = nullptr;

  int Update(void* component, DiscreteUpdate& result) const {
    EventInfo2 info{};
    const int status = update(component, &info);
    result = {.goes_on = info.needs_update != 0,
              .is_terminated = info.is_terminated != 0,
              .has_new_states = info.has_new_states != 0,
              .next_time = info.has_next_time != 0
                               ? std::optional(info.next_time)
                               : std::nullopt};
    return status;
  }

  int Differentiate(void* component,
                    const Direction& its,
                    std::span<double> result) const {
    return differentiate(component,
                         its.unknowns.data(),
                         its.unknowns.size(),
                         its.knowns.data(),
                         its.knowns.size(),
                         its.seed.data(),
                         result.data());
  }
};

struct Version3 {
  using Boolean = bool;
  static constexpr auto kReset = "fmi3Reset";
  static constexpr auto kEnterEventMode = "fmi3EnterEventMode";
  static constexpr auto kUpdate = "fmi3UpdateDiscreteStates";
  static constexpr auto kEnterContinuousTime = "fmi3EnterContinuousTimeMode";
  static constexpr auto kSetTime = "fmi3SetTime";
  static constexpr auto kSetStates = "fmi3SetContinuousStates";
  static constexpr auto kGetStates = "fmi3GetContinuousStates";
  static constexpr auto kGetDerivatives = "fmi3GetContinuousStateDerivatives";
  static constexpr auto kGetIndicators = "fmi3GetEventIndicators";
  static constexpr auto kCompleteStep = "fmi3CompletedIntegratorStep";
  static constexpr auto kDifferentiate = "fmi3GetDirectionalDerivative";

  int (*update)(void*, bool*, bool*, bool*, bool*, bool*, double*) = nullptr;
  int (*differentiate)(void*,
                       const std::uint32_t*,
                       std::size_t,
                       const std::uint32_t*,
                       std::size_t,
                       const double*,
                       std::size_t,
                       double*,
                       std::size_t) = nullptr;

  int Update(void* component, DiscreteUpdate& result) const {
    bool has_new_nominals = false;
    bool has_next_time = false;
    double next_time = 0;
    const int status = update(component,
                              &result.goes_on,
                              &result.is_terminated,
                              &has_new_nominals,
                              &result.has_new_states,
                              &has_next_time,
                              &next_time);
    result.next_time = has_next_time ? std::optional(next_time) : std::nullopt;
    return status;
  }

  int Differentiate(void* component,
                    const Direction& its,
                    std::span<double> result) const {
    return differentiate(component,
                         its.unknowns.data(),
                         its.unknowns.size(),
                         its.knowns.data(),
                         its.knowns.size(),
                         its.seed.data(),
                         its.seed.size(),
                         result.data(),
                         result.size());
  }
};

template <typename Version>
class VersionCalls final : public ContinuousCalls {
 public:
  VersionCalls(const Library& library, InstanceState& state) : state_(state) {
    library.Find(Version::kReset, reset_);
    library.Find(Version::kEnterEventMode, enter_event_mode_);
    library.Find(Version::kUpdate, call_.update);
    library.Find(Version::kEnterContinuousTime, enter_continuous_time_);
    library.Find(Version::kSetTime, set_time_);
    library.Find(Version::kSetStates, set_states_);
    library.Find(Version::kGetStates, get_states_);
    library.Find(Version::kGetDerivatives, get_derivatives_);
    library.Find(Version::kGetIndicators, get_indicators_);
    library.Find(Version::kCompleteStep, complete_step_);
    if (library.interface().provides_directional_derivatives) {
      library.Find(Version::kDifferentiate, call_.differentiate);
    }
  }

  void Reset() override {
    state_.Check(reset_(state_.component.get()), Version::kReset);
  }

  void EnterEventMode() override {
    state_.Check(enter_event_mode_(state_.component.get()),
                 Version::kEnterEventMode);
  }

  DiscreteUpdate UpdateDiscreteStates() override {
    DiscreteUpdate result;
    state_.Check(call_.Update(state_.component.get(), result),
                 Version::kUpdate);
    return result;
  }

  void EnterContinuousTime() override {
    state_.Check(enter_continuous_time_(state_.component.get()),
                 Version::kEnterContinuousTime);
  }

  void SetTime(double t) override {
    state_.t = t;
    state_.Check(set_time_(state_.component.get(), t), Version::kSetTime);
  }

  void SetStates(std::span<const double> x) override {
    state_.Check(set_states_(state_.component.get(), x.data(), x.size()),
                 Version::kSetStates);
  }

  void GetStates(std::span<double> x) override {
    Get(get_states_, Version::kGetStates, x);
  }

  void GetDerivatives(std::span<double> dx) override {
    Get(get_derivatives_, Version::kGetDerivatives, dx);
  }

  void GetIndicators(std::span<double> z) override {
    Get(get_indicators_, Version::kGetIndicators, z);
  }

  StepCheck CompleteStep() override {
    Boolean wants_event = false;
    Boolean is_terminated = false;
    state_.Check(
        complete_step_(
            state_.component.get(), kTrue, &wants_event, &is_terminated),
        Version::kCompleteStep);
    return {.wants_event = wants_event != false,
            .is_terminated = is_terminated != false};
  }

  void Differentiate(const Direction& direction,
                     std::span<double> result) override {
    state_.Check(call_.Differentiate(state_.component.get(), direction, result),
                 Version::kDifferentiate);
  }

 private:
  using Boolean = typename Version::Boolean;
  static constexpr Boolean kTrue = true;
  using Getter = int (*)(void*, double*, std::size_t);

  void Get(Getter getter, const char* name, std::span<double> values) {
    state_.Check(getter(state_.component.get(), values.data(), values.size()),
                 name);
  }

  InstanceState& state_;
  Version call_;
  int (*reset_)(void*) = nullptr;
  int (*enter_event_mode_)(void*) = nullptr;
  int (*enter_continuous_time_)(void*) = nullptr;
  int (*set_time_)(void*, double) = nullptr;
  int (*set_states_)(void*, const double*, std::size_t) = nullptr;
  Getter get_states_ = nullptr;
  Getter get_derivatives_ = nullptr;
  Getter get_indicators_ = nullptr;
  int (*complete_step_)(void*, Boolean, Boolean*, Boolean*) = nullptr;
};

}  // namespace

std::unique_ptr<ContinuousCalls> MakeContinuousCalls(const Library& library,
                                                     InstanceState& state) {
  if (library.interface().kind != InterfaceKind::kModelExchange) {
    return nullptr;
  }
  if (library.fmu().description->version == FmiVersion::k2) {
    return std::make_unique<VersionCalls<Version2>>(library, state);
  }
  return std::make_unique<VersionCalls<Version3>>(library, state);
}

}  // namespace orrery::fmi::internal
