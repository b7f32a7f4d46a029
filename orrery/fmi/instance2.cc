// FMI 2.0.5: the functions of both kinds of use (chapter 2), and of
// Co-Simulation (chapter 4).
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/fmi/continuous_calls.h"
#include "orrery/fmi/instance.h"

namespace orrery::fmi::internal {
namespace {

using Component2 = void*;
using Reference2 = unsigned;
using Status2 = int;
using Integer2 = int;
using Boolean2 = int;
using String2 = const char*;

// fmi2CallbackFunctions.
struct Callbacks2 {
  void (*logger)(void* environment,
                 String2 instance,
                 Status2 status,
                 String2 category,
                 String2 message,
                 ...) = nullptr;
  void* (*allocate)(std::size_t count, std::size_t size) = nullptr;
  void (*free)(void* memory) = nullptr;
  void (*step_finished)(void* environment, Status2 status) = nullptr;
  void* environment = nullptr;
};

// fmi2Type
constexpr int kModelExchange2 = 0;
constexpr int kCoSimulation2 = 1;

// fmi2StatusKind
constexpr int kLastSuccessfulTime = 2;
constexpr int kTerminated = 3;

// The functions for variables of a type, and their names.
template <typename T>
struct Access2 {
  void Find(const Library& library,
            const char* its_getter,
            const char* its_setter) {
    getter = its_getter;
    setter = its_setter;
    library.Find(getter, get);
    library.Find(setter, set);
  }

  const char* getter = nullptr;
  const char* setter = nullptr;
  Status2 (*get)(Component2, const Reference2*, std::size_t, T*) = nullptr;
  Status2 (*set)(Component2,
                 const Reference2*,
                 std::size_t,
                 const T*) = nullptr;
};

// The functions that are used, by their names without fmi2.
struct Functions2 {
  explicit Functions2(const Library& library) {
    library.Find("fmi2Instantiate", instantiate);
    library.Find("fmi2FreeInstance", free_instance);
    library.Find("fmi2SetupExperiment", setup);
    library.Find("fmi2EnterInitializationMode", enter_initialization);
    library.Find("fmi2ExitInitializationMode", exit_initialization);
    library.Find("fmi2Terminate", terminate);
    if (library.interface().kind == InterfaceKind::kCoSimulation) {
      library.Find("fmi2DoStep", do_step);
      library.Find("fmi2GetRealStatus", real_status);
      library.Find("fmi2GetBooleanStatus", boolean_status);
    }
    real.Find(library, "fmi2GetReal", "fmi2SetReal");
    integer.Find(library, "fmi2GetInteger", "fmi2SetInteger");
    boolean.Find(library, "fmi2GetBoolean", "fmi2SetBoolean");
    library.Find("fmi2SetString", set_string);
  }

  Component2 (*instantiate)(String2 name,
                            int type,
                            String2 token,
                            String2 resources,
                            const Callbacks2* callbacks,
                            Boolean2 visible,
                            Boolean2 logs) = nullptr;
  void (*free_instance)(Component2) = nullptr;
  Status2 (*setup)(Component2,
                   Boolean2 has_tolerance,
                   double tolerance,
                   double start,
                   Boolean2 has_stop,
                   double stop) = nullptr;
  Status2 (*enter_initialization)(Component2) = nullptr;
  Status2 (*exit_initialization)(Component2) = nullptr;
  Status2 (*terminate)(Component2) = nullptr;
  Status2 (*do_step)(Component2,
                     double t,
                     double step,
                     Boolean2 goes_not_back) = nullptr;
  Status2 (*real_status)(Component2, int kind, double* value) = nullptr;
  Status2 (*boolean_status)(Component2, int kind, Boolean2* value) = nullptr;
  Access2<double> real;
  Access2<Integer2> integer;
  Access2<Boolean2> boolean;
  Status2 (*set_string)(Component2,
                        const Reference2*,
                        std::size_t,
                        const String2*) = nullptr;
};

// Calls `use` with the functions for numbers of a type.
template <typename Use>
void WithAccess2(const Functions2& call, ValueType type, const Use& use) {
  switch (type) {
    case ValueType::kFloat64:
      return use(call.real);
    case ValueType::kBoolean:
      return use(call.boolean);
    default:
      return use(call.integer);
  }
}

// NOLINTNEXTLINE(cert-dcl50-cpp): the standard wants it so.
void Log2(void* environment,
          String2 /*instance*/,
          Status2 status,
          String2 category,
          String2 message,
          ...) {
  if (environment == nullptr || message == nullptr) {
    return;
  }
  std::array<char, 4096> text{};
  va_list arguments;
  va_start(arguments, message);
  // NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): it is the FMU's.
  std::vsnprintf(text.data(), text.size(), message, arguments);
  va_end(arguments);
  static_cast<MessageLog*>(environment)
      ->Add(static_cast<CallStatus>(status),
            category == nullptr ? "" : category,
            text.data());
}

class Instance2 final : public Instance {
 public:
  Instance2(std::shared_ptr<const Library> library, const std::string& name)
      : library_(std::move(library)),
        call_(*library_),
        state_(*library_, name) {
    state_.component = Component(nullptr, call_.free_instance);
    continuous_ = MakeContinuousCalls(*library_, state_);
    callbacks_ = {.logger = Log2,
                  .allocate = std::calloc,
                  .free = std::free,
                  .step_finished = nullptr,
                  .environment = &state_.log};
    const std::string resources = library_->ResourcePlace();
    state_.component.reset(call_.instantiate(
        name.c_str(),
        continuous_ != nullptr ? kModelExchange2 : kCoSimulation2,
        library_->fmu().description->token.c_str(),
        resources.c_str(),
        &callbacks_,
        0,
        1));
    if (state_.component == nullptr) {
      FailToInstantiate(*library_, state_.log, resources);
    }
  }

  void Set(const Variable& variable, const Values& values) override {
    const Reference2 reference = variable.reference;
    if (const auto* const texts =
            std::get_if<std::vector<std::string>>(&values)) {
      const String2 text = texts->front().c_str();
      Check(call_.set_string(state_.component.get(), &reference, 1, &text),
            "fmi2SetString");
    } else if (const auto* const reals =
                   std::get_if<std::vector<double>>(&values)) {
      Check(
          call_.real.set(state_.component.get(), &reference, 1, reals->data()),
          call_.real.setter);
    } else {
      const auto value = static_cast<Integer2>(
          std::get<std::vector<std::int64_t>>(values).front());
      const Access2<Integer2>& access =
          variable.type == ValueType::kBoolean ? call_.boolean : call_.integer;
      Check(access.set(state_.component.get(), &reference, 1, &value),
            access.setter);
    }
  }

  void SetNumbers(const ReferenceGroup& group,
                  std::span<const double> row) override {
    WithAccess2(call_, group.type, [&]<typename T>(const Access2<T>& access) {
      Check(access.set(state_.component.get(),
                       group.references.data(),
                       group.references.size(),
                       ValuesOf<T>(group, row).get()),
            access.setter);
    });
  }

  void GetNumbers(const ReferenceGroup& group, std::span<double> row) override {
    WithAccess2(call_, group.type, [&]<typename T>(const Access2<T>& access) {
      const auto values = std::make_unique<T[]>(group.places.size());
      Check(access.get(state_.component.get(),
                       group.references.data(),
                       group.references.size(),
                       values.get()),
            access.getter);
      PutValues(group, values.get(), row);
    });
  }

  void EnterInitialization(const RunTimes& times) override {
    state_.t = times.start;
    Check(call_.setup(state_.component.get(),
                      times.tolerance ? 1 : 0,
                      times.tolerance.value_or(0),
                      times.start,
                      std::isfinite(times.stop) ? 1 : 0,
                      std::isfinite(times.stop) ? times.stop : 0),
          "fmi2SetupExperiment");
    Check(call_.enter_initialization(state_.component.get()),
          "fmi2EnterInitializationMode");
  }

  void ExitInitialization() override {
    Check(call_.exit_initialization(state_.component.get()),
          "fmi2ExitInitializationMode");
  }

  StepEnd DoStep(double t, double step) override {
    state_.t = t;
    const Status2 status = call_.do_step(state_.component.get(), t, step, 1);
    if (static_cast<CallStatus>(status) == CallStatus::kDiscard) {
      Boolean2 is_terminated = 0;
      double reached = t;
      if (call_.boolean_status(
              state_.component.get(), kTerminated, &is_terminated) == 0 &&
          is_terminated != 0 &&
          call_.real_status(
              state_.component.get(), kLastSuccessfulTime, &reached) == 0) {
        return {.reached = reached, .is_terminated = true};
      }
    }
    Check(status, "fmi2DoStep");
    return {.reached = t + step};
  }

  void Terminate() override {
    Check(call_.terminate(state_.component.get()), "fmi2Terminate");
  }

  void SetSizes() override {}  // FMI 2.0 has scalars only.

  [[nodiscard]] StepEvents* step_events() override { return nullptr; }

  [[nodiscard]] ClockCalls* clocks() override { return nullptr; }

  [[nodiscard]] ContinuousCalls* continuous() override {
    return continuous_.get();
  }

  [[nodiscard]] const MessageLog& log() const override { return state_.log; }

 private:
  void Check(int status, const char* function) {
    state_.Check(status, function);
  }

  std::shared_ptr<const Library> library_;
  Functions2 call_;
  InstanceState state_;
  Callbacks2 callbacks_;
  std::unique_ptr<ContinuousCalls> continuous_;
};

}  // namespace

std::unique_ptr<Instance> MakeInstance2(std::shared_ptr<const Library> library,
                                        const std::string& name) {
  return std::make_unique<Instance2>(std::move(library), name);
}

}  // namespace orrery::fmi::internal
