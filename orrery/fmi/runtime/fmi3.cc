// FMI 3.0.2, chapters 2 to 4: the functions. Names and types are those of the
// standard.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/fmi/runtime/component.h"
#include "orrery/fmi/runtime/kept_state.h"
#include "orrery/fmi/runtime/resource_folder.h"

namespace orrery::fmi {
namespace {

// fmi3Status
enum : int { kOk3 = 0, kError3 = 3 };

using LogCallback3 = void (*)(void* environment,
                              int status,
                              const char* category,
                              const char* message);

struct Logger3 {
  void* environment = nullptr;
  LogCallback3 log = nullptr;

  void Tell(const std::string& message) const {
    Write(kError3, "logStatusError", message);
  }

  // Tells why the model ends the run.
  void TellEnd(const std::string& message) const {
    if (!message.empty()) {
      Write(kOk3, "logEvents", message);
    }
  }

 private:
  void Write(int status,
             const char* category,
             const std::string& message) const {
    if (log != nullptr) {
      log(environment, status, category, message.c_str());
    }
  }
};

struct Instance3 {
  Logger3 logger;
  std::unique_ptr<Component> component;
  std::vector<std::string> texts = {};  // Given out last.
};

// Returns a new instance; null, after a message, if there is none.
void* Make3(const Logger3& logger,
            const char* token,
            const char* resources,
            Component::Use use) noexcept {
  try {
    return new Instance3{
        .logger = logger,
        .component = MakeComponent(
            ResourceFolder(resources), token == nullptr ? "" : token, use)};
  } catch (const std::exception& error) {
    logger.Tell(error.what());
  }
  return nullptr;
}

// Calls `work`; an exception becomes a message.
template <typename Work>
int Guarded3(void* instance, const Work& work) noexcept {
  auto* const its = static_cast<Instance3*>(instance);
  if (its == nullptr) {
    return kError3;
  }
  try {
    work(*its);
    return kOk3;
  } catch (const std::exception& error) {
    its->logger.Tell(error.what());
  } catch (...) {
    its->logger.Tell("an unknown failure");
  }
  return kError3;
}

int Refused3(void* instance, const char* function) noexcept {
  return Guarded3(instance, [&](Instance3& /*its*/) {
    throw Error(ErrorCode::kUnsupported,
                std::string(function) + " is not supported by this FMU");
  });
}

// All variables are scalars.
void CheckCounts(std::size_t references, std::size_t values) {
  if (references != values) {
    throw Error(ErrorCode::kInvalidArgument,
                std::to_string(values) + " values for " +
                    std::to_string(references) + " scalars");
  }
}

template <typename T>
int Get3(void* instance,
         const std::uint32_t* references,
         std::size_t count,
         T* values,
         std::size_t num_values,
         NumberType type) noexcept {
  return Guarded3(instance, [&](Instance3& its) {
    CheckCounts(count, num_values);
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = static_cast<T>(its.component->Get(references[i], type));
    }
  });
}

template <typename T>
int Set3(void* instance,
         const std::uint32_t* references,
         std::size_t count,
         const T* values,
         std::size_t num_values,
         NumberType type) noexcept {
  return Guarded3(instance, [&](Instance3& its) {
    CheckCounts(count, num_values);
    for (std::size_t i = 0; i < count; ++i) {
      its.component->Set(references[i], type, static_cast<double>(values[i]));
    }
  });
}

}  // namespace
}  // namespace orrery::fmi

// NOLINTBEGIN(bugprone-macro-parentheses,google-global-names-in-headers,readability-*)
using orrery::fmi::Get3;
using orrery::fmi::Guarded3;
using orrery::fmi::Instance3;
using orrery::fmi::Refused3;
using orrery::fmi::Set3;
using References3 = const std::uint32_t*;
using Number = orrery::fmi::NumberType;

#define ORRERY_REFUSE(name)           \
  int name(void* instance) {          \
    return Refused3(instance, #name); \
  }

// The functions for a type; no variable has one of the types that are refused.
#define ORRERY_ACCESS(name, T, number)                                    \
  int fmi3Get##name(void* instance,                                       \
                    References3 references,                               \
                    std::size_t count,                                    \
                    T* values,                                            \
                    std::size_t num_values) {                             \
    return Get3(instance, references, count, values, num_values, number); \
  }                                                                       \
  int fmi3Set##name(void* instance,                                       \
                    References3 references,                               \
                    std::size_t count,                                    \
                    const T* values,                                      \
                    std::size_t num_values) {                             \
    return Set3(instance, references, count, values, num_values, number); \
  }

extern "C" {

const char* fmi3GetVersion() {
  return "3.0";
}

void* fmi3InstantiateCoSimulation(const char* /*name*/,
                                  const char* token,
                                  const char* resources,
                                  bool /*visible*/,
                                  bool /*logs*/,
                                  bool /*uses_event_mode*/,
                                  bool /*may_return_early*/,
                                  References3 /*intermediates*/,
                                  std::size_t /*num_intermediates*/,
                                  void* environment,
                                  orrery::fmi::LogCallback3 log,
                                  void* /*intermediate_update*/) {
  return orrery::fmi::Make3({.environment = environment, .log = log},
                            token,
                            resources,
                            orrery::fmi::Component::Use::kCoSimulation);
}

void* fmi3InstantiateModelExchange(const char* /*name*/,
                                   const char* token,
                                   const char* resources,
                                   bool /*visible*/,
                                   bool /*logs*/,
                                   void* environment,
                                   orrery::fmi::LogCallback3 log) {
  return orrery::fmi::Make3({.environment = environment, .log = log},
                            token,
                            resources,
                            orrery::fmi::Component::Use::kModelExchange);
}

void* fmi3InstantiateScheduledExecution(const char* /*name*/,
                                        const char* /*token*/,
                                        const char* /*resources*/,
                                        bool /*visible*/,
                                        bool /*logs*/,
                                        void* environment,
                                        orrery::fmi::LogCallback3 log,
                                        void* /*clock_update*/,
                                        void* /*lock*/,
                                        void* /*unlock*/) {
  orrery::fmi::Logger3{.environment = environment, .log = log}.Tell(
      "this FMU is for Model Exchange and Co-Simulation");
  return nullptr;
}

void fmi3FreeInstance(void* instance) {
  delete static_cast<Instance3*>(instance);
}

int fmi3SetDebugLogging(void* /*instance*/,
                        bool /*logs*/,
                        std::size_t /*count*/,
                        const char* const* /*categories*/) {
  return orrery::fmi::kOk3;  // Failures alone are told, always.
}

int fmi3EnterInitializationMode(void* instance,
                                bool has_tolerance,
                                double tolerance,
                                double start,
                                bool has_stop,
                                double stop) {
  return Guarded3(instance, [&](Instance3& its) {
    its.component->Setup(
        start,
        has_stop ? std::optional(stop) : std::nullopt,
        has_tolerance ? std::optional(tolerance) : std::nullopt);
  });
}

int fmi3ExitInitializationMode(void* instance) {
  return Guarded3(instance, [](Instance3& its) { its.component->Start(); });
}

int fmi3Terminate(void* instance) {
  return Guarded3(instance, [](Instance3& /*its*/) {});
}

int fmi3Reset(void* instance) {
  return Guarded3(instance, [](Instance3& its) { its.component->Reset(); });
}

ORRERY_ACCESS(Float64, double, Number::kReal)
ORRERY_ACCESS(Int64, std::int64_t, Number::kInteger)
ORRERY_ACCESS(Boolean, bool, Number::kBoolean)

int fmi3GetString(void* instance,
                  References3 references,
                  std::size_t count,
                  const char** values,
                  std::size_t num_values) {
  return Guarded3(instance, [&](Instance3& its) {
    orrery::fmi::CheckCounts(count, num_values);
    its.texts.clear();
    for (std::size_t i = 0; i < count; ++i) {
      its.texts.push_back(its.component->GetText(references[i]));
    }
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = its.texts[i].c_str();
    }
  });
}

int fmi3SetString(void* instance,
                  References3 references,
                  std::size_t count,
                  const char* const* values,
                  std::size_t num_values) {
  return Guarded3(instance, [&](Instance3& its) {
    orrery::fmi::CheckCounts(count, num_values);
    for (std::size_t i = 0; i < count; ++i) {
      its.component->SetText(references[i], values[i]);
    }
  });
}

int fmi3DoStep(void* instance,
               double t,
               double step,
               bool /*goes_not_back*/,
               bool* needs_event,
               bool* terminates,
               bool* returns_early,
               double* reached) {
  return Guarded3(instance, [&](Instance3& its) {
    const auto end = its.component->DoStep(t, step);
    its.logger.TellEnd(end.message);
    *needs_event = false;
    *terminates = end.is_terminated;
    *returns_early = false;
    *reached = end.reached;
  });
}

// Model Exchange.

int fmi3EnterEventMode(void* instance) {
  return Guarded3(
      instance, [](Instance3& its) { its.component->exchange().EnterEvent(); });
}

int fmi3UpdateDiscreteStates(void* instance,
                             bool* needs_update,
                             bool* terminates,
                             bool* has_new_nominals,
                             bool* has_new_states,
                             bool* has_next_time,
                             double* next_time) {
  return Guarded3(instance, [&](Instance3& its) {
    const auto end = its.component->exchange().UpdateDiscrete();
    its.logger.TellEnd(end.message);
    *needs_update = false;
    *terminates = end.is_terminated;
    *has_new_nominals = false;
    *has_new_states = end.has_new_states;
    *has_next_time = std::isfinite(end.next_time);
    *next_time = end.next_time;
  });
}

int fmi3EnterContinuousTimeMode(void* instance) {
  return Guarded3(instance, [](Instance3& /*its*/) {});
}

int fmi3CompletedIntegratorStep(void* instance,
                                bool /*goes_not_back*/,
                                bool* enters_event,
                                bool* terminates) {
  return Guarded3(instance, [&](Instance3& its) {
    *enters_event = its.component->exchange().CompleteStep();
    *terminates = false;
  });
}

int fmi3SetTime(void* instance, double t) {
  return Guarded3(
      instance, [&](Instance3& its) { its.component->exchange().SetTime(t); });
}

int fmi3SetContinuousStates(void* instance,
                            const double* x,
                            std::size_t count) {
  return Guarded3(instance, [&](Instance3& its) {
    its.component->exchange().SetStates({x, count});
  });
}

int fmi3GetContinuousStateDerivatives(void* instance,
                                      double* dx,
                                      std::size_t count) {
  return Guarded3(instance, [&](Instance3& its) {
    its.component->exchange().GetDerivatives({dx, count});
  });
}

int fmi3GetEventIndicators(void* instance, double* z, std::size_t count) {
  return Guarded3(instance, [&](Instance3& its) {
    its.component->exchange().GetIndicators({z, count});
  });
}

int fmi3GetContinuousStates(void* instance, double* x, std::size_t count) {
  return Guarded3(instance, [&](Instance3& its) {
    its.component->exchange().GetStates({x, count});
  });
}

int fmi3GetNominalsOfContinuousStates(void* instance,
                                      double* nominals,
                                      std::size_t count) {
  return Guarded3(instance, [&](Instance3& its) {
    its.component->exchange().GetNominals({nominals, count});
  });
}

int fmi3GetNumberOfEventIndicators(void* instance, std::size_t* count) {
  return Guarded3(instance, [&](Instance3& its) {
    *count = its.component->exchange().num_indicators();
  });
}

int fmi3GetNumberOfContinuousStates(void* instance, std::size_t* count) {
  return Guarded3(instance, [&](Instance3& its) {
    *count = its.component->exchange().num_states();
  });
}

int fmi3GetDirectionalDerivative(void* instance,
                                 References3 unknowns,
                                 std::size_t num_unknowns,
                                 References3 knowns,
                                 std::size_t num_knowns,
                                 const double* seeds,
                                 std::size_t num_seeds,
                                 double* derivatives,
                                 std::size_t num_derivatives) {
  return Guarded3(instance, [&](Instance3& its) {
    its.component->exchange().Differentiate({unknowns, num_unknowns},
                                            {knowns, num_knowns},
                                            {seeds, num_seeds},
                                            {derivatives, num_derivatives});
  });
}

int fmi3GetFMUState(void* instance, void** state) {
  return Guarded3(instance, [&](Instance3& its) {
    orrery::fmi::KeepState(its.component->Save(), state);
  });
}

int fmi3SetFMUState(void* instance, void* state) {
  return Guarded3(instance, [&](Instance3& its) {
    its.component->Restore(orrery::fmi::KeptState(state));
  });
}

int fmi3FreeFMUState(void* instance, void** state) {
  return Guarded3(instance,
                  [&](Instance3& /*its*/) { orrery::fmi::FreeState(state); });
}

int fmi3SerializedFMUStateSize(void* instance, void* state, std::size_t* size) {
  return Guarded3(instance, [&](Instance3& /*its*/) {
    *size = orrery::fmi::SizeOfState(state);
  });
}

int fmi3SerializeFMUState(void* instance,
                          void* state,
                          std::uint8_t* bytes,
                          std::size_t size) {
  return Guarded3(instance, [&](Instance3& /*its*/) {
    orrery::fmi::WriteState(state, bytes, size);
  });
}

int fmi3DeserializeFMUState(void* instance,
                            const std::uint8_t* bytes,
                            std::size_t size,
                            void** state) {
  return Guarded3(instance, [&](Instance3& /*its*/) {
    orrery::fmi::KeepState(orrery::fmi::ReadState(bytes, size), state);
  });
}

// Functions for what the description says this FMU has not or cannot do.
ORRERY_REFUSE(fmi3GetFloat32)
ORRERY_REFUSE(fmi3GetInt8)
ORRERY_REFUSE(fmi3GetUInt8)
ORRERY_REFUSE(fmi3GetInt16)
ORRERY_REFUSE(fmi3GetUInt16)
ORRERY_REFUSE(fmi3GetInt32)
ORRERY_REFUSE(fmi3GetUInt32)
ORRERY_REFUSE(fmi3GetUInt64)
ORRERY_REFUSE(fmi3GetBinary)
ORRERY_REFUSE(fmi3GetClock)
ORRERY_REFUSE(fmi3SetFloat32)
ORRERY_REFUSE(fmi3SetInt8)
ORRERY_REFUSE(fmi3SetUInt8)
ORRERY_REFUSE(fmi3SetInt16)
ORRERY_REFUSE(fmi3SetUInt16)
ORRERY_REFUSE(fmi3SetInt32)
ORRERY_REFUSE(fmi3SetUInt32)
ORRERY_REFUSE(fmi3SetUInt64)
ORRERY_REFUSE(fmi3SetBinary)
ORRERY_REFUSE(fmi3SetClock)
ORRERY_REFUSE(fmi3GetNumberOfVariableDependencies)
ORRERY_REFUSE(fmi3GetVariableDependencies)
ORRERY_REFUSE(fmi3GetAdjointDerivative)
ORRERY_REFUSE(fmi3EnterConfigurationMode)
ORRERY_REFUSE(fmi3ExitConfigurationMode)
ORRERY_REFUSE(fmi3GetIntervalDecimal)
ORRERY_REFUSE(fmi3GetIntervalFraction)
ORRERY_REFUSE(fmi3GetShiftDecimal)
ORRERY_REFUSE(fmi3GetShiftFraction)
ORRERY_REFUSE(fmi3SetIntervalDecimal)
ORRERY_REFUSE(fmi3SetIntervalFraction)
ORRERY_REFUSE(fmi3SetShiftDecimal)
ORRERY_REFUSE(fmi3SetShiftFraction)
ORRERY_REFUSE(fmi3EvaluateDiscreteStates)
ORRERY_REFUSE(fmi3EnterStepMode)
ORRERY_REFUSE(fmi3GetOutputDerivatives)
ORRERY_REFUSE(fmi3ActivateModelPartition)

}  // extern "C"
#undef ORRERY_REFUSE
// NOLINTEND(bugprone-macro-parentheses,google-global-names-in-headers,readability-*)
