// FMI 2.0.5, chapters 2 to 4: the functions. Names and types are those of the
// standard.
#include <cmath>
#include <cstddef>
#include <exception>
#include <limits>
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

// fmi2Status
enum : int { kOk2 = 0, kDiscard2 = 2, kError2 = 3 };

// fmi2CallbackFunctions.
struct Callbacks2 {
  void (*logger)(void* environment,
                 const char* instance,
                 int status,
                 const char* category,
                 const char* message,
                 ...);
  void* (*allocate)(std::size_t count, std::size_t size);
  void (*free)(void* memory);
  void (*step_finished)(void* environment, int status);
  void* environment;
};

constexpr int kModelExchange2 = 0;  // fmi2Type

// fmi2EventInfo
struct EventInfo2 {
  int needs_update;
  int terminates;
  int has_new_nominals;
  int has_new_states;
  int has_next_time;
  double next_time;
};

// fmi2StatusKind
constexpr int kLastSuccessfulTime2 = 2;
constexpr int kTerminated2 = 3;

void Log(const Callbacks2& callbacks,
         const std::string& name,
         int status,
         const char* category,
         const std::string& message) {
  if (callbacks.logger == nullptr) {
    return;
  }
  // Some importers print the format as it is: it is the whole message.
  std::string format;
  for (const char c : message) {
    format += c == '%' ? "%%" : std::string(1, c);
  }
  callbacks.logger(
      callbacks.environment, name.c_str(), status, category, format.c_str());
}

void Log(const Callbacks2& callbacks,
         const std::string& name,
         const std::string& message) {
  Log(callbacks, name, kError2, "logStatusError", message);
}

struct Instance2 {
  std::string name;
  Callbacks2 callbacks{};
  std::unique_ptr<Component> component;
  Component::StepEnd last = {};
  std::vector<std::string> texts = {};  // Given out last.
};

// Tells why the model ends the run.
void TellEnd(const Instance2& its, const std::string& message) {
  if (!message.empty()) {
    Log(its.callbacks, its.name, kOk2, "logEvents", message);
  }
}

// Calls `work`; an exception becomes a message.
template <typename Work>
int Guarded(void* instance, const Work& work) noexcept {
  auto* const its = static_cast<Instance2*>(instance);
  if (its == nullptr) {
    return kError2;
  }
  try {
    return work(*its);
  } catch (const std::exception& error) {
    Log(its->callbacks, its->name, error.what());
  } catch (...) {
    Log(its->callbacks, its->name, "an unknown failure");
  }
  return kError2;
}

int Refused(void* instance, const char* function) noexcept {
  return Guarded(instance, [&](Instance2& its) {
    Log(its.callbacks,
        its.name,
        std::string(function) + " is not supported by this FMU");
    return kError2;
  });
}

template <typename T>
int Get(void* instance,
        const unsigned* references,
        std::size_t count,
        T* values,
        NumberType type) noexcept {
  return Guarded(instance, [&](Instance2& its) {
    for (std::size_t i = 0; i < count; ++i) {
      const double value = its.component->Get(references[i], type);
      if (type == NumberType::kInteger &&
          !(std::abs(value) <= std::numeric_limits<int>::max())) {
        throw Error(ErrorCode::kInvalidArgument,
                    "an Integer is beyond 32 bits, which is all that FMI 2.0 "
                    "has; export the model for FMI 3.0");
      }
      values[i] = static_cast<T>(value);
    }
    return static_cast<int>(kOk2);
  });
}

template <typename T>
int Set(void* instance,
        const unsigned* references,
        std::size_t count,
        const T* values,
        NumberType type) noexcept {
  return Guarded(instance, [&](Instance2& its) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = static_cast<double>(values[i]);
      its.component->Set(
          references[i],
          type,
          type == NumberType::kBoolean && value != 0 ? 1 : value);
    }
    return static_cast<int>(kOk2);
  });
}

}  // namespace
}  // namespace orrery::fmi

// NOLINTBEGIN(google-global-names-in-headers,misc-definitions-in-headers,readability-*)
using orrery::fmi::Get;
using orrery::fmi::Guarded;
using orrery::fmi::Instance2;
using orrery::fmi::NumberType;
using orrery::fmi::Refused;
using orrery::fmi::Set;
using orrery::fmi::TellEnd;

#define ORRERY_REFUSE(name)          \
  int name(void* instance) {         \
    return Refused(instance, #name); \
  }

extern "C" {

const char* fmi2GetTypesPlatform() {
  return "default";
}

const char* fmi2GetVersion() {
  return "2.0";
}

void* fmi2Instantiate(const char* name,
                      int type,
                      const char* token,
                      const char* resources,
                      const orrery::fmi::Callbacks2* callbacks,
                      int /*visible*/,
                      int /*logs*/) {
  const orrery::fmi::Callbacks2 own =
      callbacks == nullptr ? orrery::fmi::Callbacks2{} : *callbacks;
  const std::string its_name = name == nullptr ? "" : name;
  try {
    using Use = orrery::fmi::Component::Use;
    return new Instance2{
        .name = its_name,
        .callbacks = own,
        .component = orrery::fmi::MakeComponent(
            orrery::fmi::ResourceFolder(resources),
            token == nullptr ? "" : token,
            type == orrery::fmi::kModelExchange2 ? Use::kModelExchange
                                                 : Use::kCoSimulation)};
  } catch (const std::exception& error) {
    orrery::fmi::Log(own, its_name, error.what());
  }
  return nullptr;
}

void fmi2FreeInstance(void* instance) {
  delete static_cast<Instance2*>(instance);
}

int fmi2SetDebugLogging(void* /*instance*/,
                        int /*logs*/,
                        std::size_t /*count*/,
                        const char* const* /*categories*/) {
  return orrery::fmi::kOk2;  // Failures alone are told, always.
}

int fmi2SetupExperiment(void* instance,
                        int has_tolerance,
                        double tolerance,
                        double start,
                        int has_stop,
                        double stop) {
  return Guarded(instance, [&](Instance2& its) {
    its.component->Setup(
        start,
        has_stop != 0 ? std::optional(stop) : std::nullopt,
        has_tolerance != 0 ? std::optional(tolerance) : std::nullopt);
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2EnterInitializationMode(void* instance) {
  return Guarded(instance, [](Instance2& /*its*/) {
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2ExitInitializationMode(void* instance) {
  return Guarded(instance, [](Instance2& its) {
    its.component->Start();
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2Terminate(void* instance) {
  return Guarded(instance, [](Instance2& /*its*/) {
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2Reset(void* instance) {
  return Guarded(instance, [](Instance2& its) {
    its.component->Reset();
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2GetReal(void* instance,
                const unsigned* references,
                std::size_t count,
                double* values) {
  return Get(instance, references, count, values, NumberType::kReal);
}

int fmi2GetInteger(void* instance,
                   const unsigned* references,
                   std::size_t count,
                   int* values) {
  return Get(instance, references, count, values, NumberType::kInteger);
}

int fmi2GetBoolean(void* instance,
                   const unsigned* references,
                   std::size_t count,
                   int* values) {
  return Get(instance, references, count, values, NumberType::kBoolean);
}

int fmi2SetReal(void* instance,
                const unsigned* references,
                std::size_t count,
                const double* values) {
  return Set(instance, references, count, values, NumberType::kReal);
}

int fmi2SetInteger(void* instance,
                   const unsigned* references,
                   std::size_t count,
                   const int* values) {
  return Set(instance, references, count, values, NumberType::kInteger);
}

int fmi2SetBoolean(void* instance,
                   const unsigned* references,
                   std::size_t count,
                   const int* values) {
  return Set(instance, references, count, values, NumberType::kBoolean);
}

int fmi2GetString(void* instance,
                  const unsigned* references,
                  std::size_t count,
                  const char** values) {
  return Guarded(instance, [&](Instance2& its) {
    its.texts.clear();
    for (std::size_t i = 0; i < count; ++i) {
      its.texts.push_back(its.component->GetText(references[i]));
    }
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = its.texts[i].c_str();
    }
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2SetString(void* instance,
                  const unsigned* references,
                  std::size_t count,
                  const char* const* values) {
  return Guarded(instance, [&](Instance2& its) {
    for (std::size_t i = 0; i < count; ++i) {
      its.component->SetText(references[i], values[i]);
    }
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2DoStep(void* instance, double t, double step, int /*goes_not_back*/) {
  return Guarded(instance, [&](Instance2& its) {
    its.last = its.component->DoStep(t, step);
    TellEnd(its, its.last.message);
    return static_cast<int>(its.last.is_terminated ? orrery::fmi::kDiscard2
                                                   : orrery::fmi::kOk2);
  });
}

int fmi2GetRealStatus(void* instance, int kind, double* value) {
  return Guarded(instance, [&](Instance2& its) {
    *value = its.last.reached;
    return static_cast<int>(kind == orrery::fmi::kLastSuccessfulTime2
                                ? orrery::fmi::kOk2
                                : orrery::fmi::kDiscard2);
  });
}

int fmi2GetBooleanStatus(void* instance, int kind, int* value) {
  return Guarded(instance, [&](Instance2& its) {
    *value = its.last.is_terminated ? 1 : 0;
    return static_cast<int>(kind == orrery::fmi::kTerminated2
                                ? orrery::fmi::kOk2
                                : orrery::fmi::kDiscard2);
  });
}

// Model Exchange.

int fmi2EnterEventMode(void* instance) {
  return Guarded(instance, [](Instance2& its) {
    its.component->exchange().EnterEvent();
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2NewDiscreteStates(void* instance, orrery::fmi::EventInfo2* info) {
  return Guarded(instance, [&](Instance2& its) {
    const auto end = its.component->exchange().UpdateDiscrete();
    TellEnd(its, end.message);
    *info = {.needs_update = 0,
             .terminates = end.is_terminated ? 1 : 0,
             .has_new_nominals = 0,
             .has_new_states = end.has_new_states ? 1 : 0,
             .has_next_time = std::isfinite(end.next_time) ? 1 : 0,
             .next_time = end.next_time};
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2EnterContinuousTimeMode(void* instance) {
  return Guarded(instance, [](Instance2& /*its*/) {
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2CompletedIntegratorStep(void* instance,
                                int /*goes_not_back*/,
                                int* enters_event,
                                int* terminates) {
  return Guarded(instance, [&](Instance2& its) {
    *enters_event = its.component->exchange().CompleteStep() ? 1 : 0;
    *terminates = 0;
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2SetTime(void* instance, double t) {
  return Guarded(instance, [&](Instance2& its) {
    its.component->exchange().SetTime(t);
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2SetContinuousStates(void* instance,
                            const double* x,
                            std::size_t count) {
  return Guarded(instance, [&](Instance2& its) {
    its.component->exchange().SetStates({x, count});
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2GetDerivatives(void* instance, double* dx, std::size_t count) {
  return Guarded(instance, [&](Instance2& its) {
    its.component->exchange().GetDerivatives({dx, count});
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2GetEventIndicators(void* instance, double* z, std::size_t count) {
  return Guarded(instance, [&](Instance2& its) {
    its.component->exchange().GetIndicators({z, count});
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2GetContinuousStates(void* instance, double* x, std::size_t count) {
  return Guarded(instance, [&](Instance2& its) {
    its.component->exchange().GetStates({x, count});
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2GetNominalsOfContinuousStates(void* instance,
                                      double* nominals,
                                      std::size_t count) {
  return Guarded(instance, [&](Instance2& its) {
    its.component->exchange().GetNominals({nominals, count});
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2GetDirectionalDerivative(void* instance,
                                 const unsigned* unknowns,
                                 std::size_t num_unknowns,
                                 const unsigned* knowns,
                                 std::size_t num_knowns,
                                 const double* seeds,
                                 double* derivatives) {
  return Guarded(instance, [&](Instance2& its) {
    its.component->exchange().Differentiate({unknowns, num_unknowns},
                                            {knowns, num_knowns},
                                            {seeds, num_knowns},
                                            {derivatives, num_unknowns});
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2GetFMUstate(void* instance, void** state) {
  return Guarded(instance, [&](Instance2& its) {
    orrery::fmi::KeepState(its.component->Save(), state);
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2SetFMUstate(void* instance, void* state) {
  return Guarded(instance, [&](Instance2& its) {
    its.component->Restore(orrery::fmi::KeptState(state));
    its.last = {};
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2FreeFMUstate(void* instance, void** state) {
  return Guarded(instance, [&](Instance2& /*its*/) {
    orrery::fmi::FreeState(state);
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2SerializedFMUstateSize(void* instance, void* state, std::size_t* size) {
  return Guarded(instance, [&](Instance2& /*its*/) {
    *size = orrery::fmi::SizeOfState(state);
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2SerializeFMUstate(void* instance,
                          void* state,
                          char* bytes,
                          std::size_t size) {
  return Guarded(instance, [&](Instance2& /*its*/) {
    orrery::fmi::WriteState(state, bytes, size);
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

int fmi2DeSerializeFMUstate(void* instance,
                            const char* bytes,
                            std::size_t size,
                            void** state) {
  return Guarded(instance, [&](Instance2& /*its*/) {
    orrery::fmi::KeepState(orrery::fmi::ReadState(bytes, size), state);
    return static_cast<int>(orrery::fmi::kOk2);
  });
}

// Functions for what the description says this FMU cannot do.
ORRERY_REFUSE(fmi2SetRealInputDerivatives)
ORRERY_REFUSE(fmi2GetRealOutputDerivatives)
ORRERY_REFUSE(fmi2CancelStep)
ORRERY_REFUSE(fmi2GetStatus)
ORRERY_REFUSE(fmi2GetIntegerStatus)
ORRERY_REFUSE(fmi2GetStringStatus)

}  // extern "C"
#undef ORRERY_REFUSE
// NOLINTEND(google-global-names-in-headers,misc-definitions-in-headers,readability-*)
