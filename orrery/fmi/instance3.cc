// FMI 3.0.2: the functions of all kinds of use (chapter 2), and of
// Co-Simulation (chapter 4).
#include <cmath>
#include <type_traits>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/fmi/clock_calls.h"
#include "orrery/fmi/continuous_calls.h"
#include "orrery/fmi/instance.h"
#include "orrery/fmi/step_events.h"

namespace orrery::fmi::internal {
namespace {

using Component3 = void*;
using Reference3 = std::uint32_t;
using Status3 = int;
using String3 = const char*;
using Bytes3 = const std::uint8_t*;

using LogCallback3 = void (*)(void* environment,
                              Status3 status,
                              String3 category,
                              String3 message);
using IntermediateUpdate3 = void (*)(void* environment,
                                     double t,
                                     bool sets,
                                     bool gets,
                                     bool is_finished,
                                     bool can_return_early,
                                     bool* returns_early,
                                     double* return_time);

// The functions for variables of a type, and their names.
template <typename T>
struct Access3 {
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

  Status3 (*get)(Component3, const Reference3*, std::size_t, T*, std::size_t) =
      nullptr;
  Status3 (*set)(Component3,
                 const Reference3*,
                 std::size_t,
                 const T*,
                 std::size_t) = nullptr;
};

// The functions that are used, by their names without fmi3.
struct Functions3 {
  explicit Functions3(const Library& library) {
    if (library.interface().kind == InterfaceKind::kCoSimulation) {
      library.Find("fmi3InstantiateCoSimulation", instantiate);
      library.Find("fmi3DoStep", do_step);
    } else if (library.interface().kind == InterfaceKind::kModelExchange) {
      library.Find("fmi3InstantiateModelExchange", instantiate_continuous);
    } else {
      library.Find("fmi3InstantiateScheduledExecution", instantiate_scheduled);
    }
    library.Find("fmi3FreeInstance", free_instance);
    library.Find("fmi3EnterInitializationMode", enter_initialization);
    library.Find("fmi3ExitInitializationMode", exit_initialization);
    library.Find("fmi3Terminate", terminate);
    if (!library.fmu().sizes.empty()) {
      library.Find("fmi3EnterConfigurationMode", enter_configuration);
      library.Find("fmi3ExitConfigurationMode", exit_configuration);
    }
    float32.Find(library, "fmi3GetFloat32", "fmi3SetFloat32");
    float64.Find(library, "fmi3GetFloat64", "fmi3SetFloat64");
    int8.Find(library, "fmi3GetInt8", "fmi3SetInt8");
    uint8.Find(library, "fmi3GetUInt8", "fmi3SetUInt8");
    int16.Find(library, "fmi3GetInt16", "fmi3SetInt16");
    uint16.Find(library, "fmi3GetUInt16", "fmi3SetUInt16");
    int32.Find(library, "fmi3GetInt32", "fmi3SetInt32");
    uint32.Find(library, "fmi3GetUInt32", "fmi3SetUInt32");
    int64.Find(library, "fmi3GetInt64", "fmi3SetInt64");
    uint64.Find(library, "fmi3GetUInt64", "fmi3SetUInt64");
    boolean.Find(library, "fmi3GetBoolean", "fmi3SetBoolean");
    library.Find("fmi3SetString", set_string);
    library.Find("fmi3SetBinary", set_binary);
  }

  Component3 (*instantiate)(String3 name,
                            String3 token,
                            String3 resources,
                            bool visible,
                            bool logs,
                            bool uses_event_mode,
                            bool may_return_early,
                            const Reference3* intermediates,
                            std::size_t num_intermediates,
                            void* environment,
                            LogCallback3 log,
                            IntermediateUpdate3 update) = nullptr;
  Component3 (*instantiate_continuous)(String3 name,
                                       String3 token,
                                       String3 resources,
                                       bool visible,
                                       bool logs,
                                       void* environment,
                                       LogCallback3 log) = nullptr;
  // After each activation all clocks are asked, and nothing is preempted: what
  // the FMU calls meanwhile has nothing to do.
  Component3 (*instantiate_scheduled)(String3 name,
                                      String3 token,
                                      String3 resources,
                                      bool visible,
                                      bool logs,
                                      void* environment,
                                      LogCallback3 log,
                                      void (*update)(void* environment),
                                      void (*lock)(),
                                      void (*unlock)()) = nullptr;
  void (*free_instance)(Component3) = nullptr;
  Status3 (*enter_initialization)(Component3,
                                  bool has_tolerance,
                                  double tolerance,
                                  double start,
                                  bool has_stop,
                                  double stop) = nullptr;
  Status3 (*exit_initialization)(Component3) = nullptr;
  Status3 (*terminate)(Component3) = nullptr;
  Status3 (*enter_configuration)(Component3) = nullptr;
  Status3 (*exit_configuration)(Component3) = nullptr;
  Status3 (*do_step)(Component3,
                     double t,
                     double step,
                     bool goes_not_back,
                     bool* needs_event,
                     bool* terminates,
                     bool* returns_early,
                     double* reached) = nullptr;
  Access3<float> float32;
  Access3<double> float64;
  Access3<std::int8_t> int8;
  Access3<std::uint8_t> uint8;
  Access3<std::int16_t> int16;
  Access3<std::uint16_t> uint16;
  Access3<std::int32_t> int32;
  Access3<std::uint32_t> uint32;
  Access3<std::int64_t> int64;
  Access3<std::uint64_t> uint64;
  Access3<bool> boolean;
  Status3 (*set_string)(Component3,
                        const Reference3*,
                        std::size_t,
                        const String3*,
                        std::size_t) = nullptr;
  Status3 (*set_binary)(Component3,
                        const Reference3*,
                        std::size_t,
                        const std::size_t* sizes,
                        const Bytes3*,
                        std::size_t) = nullptr;
};

void Log3(void* environment,
          Status3 status,
          String3 category,
          String3 message) {
  if (environment != nullptr && message != nullptr) {
    static_cast<MessageLog*>(environment)
        ->Add(static_cast<CallStatus>(status),
              category == nullptr ? "" : category,
              message);
  }
}

// Calls `use` with the functions for numbers of a type.
template <typename Use>
void WithAccess3(const Functions3& call, ValueType type, const Use& use) {
  switch (type) {
    case ValueType::kFloat32:
      return use(call.float32);
    case ValueType::kFloat64:
      return use(call.float64);
    case ValueType::kInt8:
      return use(call.int8);
    case ValueType::kUInt8:
      return use(call.uint8);
    case ValueType::kInt16:
      return use(call.int16);
    case ValueType::kUInt16:
      return use(call.uint16);
    case ValueType::kInt32:
      return use(call.int32);
    case ValueType::kUInt32:
      return use(call.uint32);
    case ValueType::kUInt64:
      return use(call.uint64);
    case ValueType::kBoolean:
      return use(call.boolean);
    case ValueType::kInt64:
    case ValueType::kEnumeration:
      return use(call.int64);
    default:
      ORRERY_CHECK(false);
  }
}

class Instance3 final : public Instance {
 public:
  Instance3(std::shared_ptr<const Library> library, const std::string& name)
      : library_(std::move(library)),
        call_(*library_),
        state_(*library_, name) {
    state_.component = Component(nullptr, call_.free_instance);
    continuous_ = MakeContinuousCalls(*library_, state_);
    events_ = MakeStepEvents(*library_, state_);
    clocks_ = MakeClockCalls(*library_, state_);
    resources_ = library_->ResourcePlace();
    state_.component.reset(Make(name));
    if (state_.component == nullptr && events_ != nullptr) {
      // Some FMUs that tell of an event mode refuse it.
      events_.reset();
      state_.log.Forget();
      state_.component.reset(Make(name));
    }
    if (state_.component == nullptr) {
      FailToInstantiate(*library_, state_.log, resources_);
    }
    SetSizes();
  }

  void Set(const Variable& variable, const Values& values) override {
    const Reference3 reference = variable.reference;
    if (const auto* const texts =
            std::get_if<std::vector<std::string>>(&values)) {
      SetTexts(variable, *texts);
      return;
    }
    WithAccess3(call_, variable.type, [&](const auto& access) {
      SetOne(access, reference, values);
    });
  }

  void SetNumbers(const ReferenceGroup& group,
                  std::span<const double> row) override {
    WithAccess3(call_, group.type, [&]<typename T>(const Access3<T>& access) {
      Check(access.set(state_.component.get(),
                       group.references.data(),
                       group.references.size(),
                       ValuesOf<T>(group, row).get(),
                       group.places.size()),
            access.setter);
    });
  }

  void GetNumbers(const ReferenceGroup& group, std::span<double> row) override {
    WithAccess3(call_, group.type, [&]<typename T>(const Access3<T>& access) {
      const auto values = std::make_unique<T[]>(group.places.size());
      Check(access.get(state_.component.get(),
                       group.references.data(),
                       group.references.size(),
                       values.get(),
                       group.places.size()),
            access.getter);
      PutValues(group, values.get(), row);
    });
  }

  void EnterInitialization(const RunTimes& times) override {
    state_.t = times.start;
    Check(
        call_.enter_initialization(state_.component.get(),
                                   times.tolerance.has_value(),
                                   times.tolerance.value_or(0),
                                   times.start,
                                   std::isfinite(times.stop),
                                   std::isfinite(times.stop) ? times.stop : 0),
        "fmi3EnterInitializationMode");
  }

  void ExitInitialization() override {
    Check(call_.exit_initialization(state_.component.get()),
          "fmi3ExitInitializationMode");
  }

  StepEnd DoStep(double t, double step) override {
    state_.t = t;
    bool needs_event = false;
    bool terminates = false;
    bool returns_early = false;
    double reached = t + step;
    Check(call_.do_step(state_.component.get(),
                        t,
                        step,
                        true,
                        &needs_event,
                        &terminates,
                        &returns_early,
                        &reached),
          "fmi3DoStep");
    return {.reached = terminates || returns_early ? reached : t + step,
            .is_terminated = terminates,
            .needs_event = needs_event};
  }

  void Terminate() override {
    Check(call_.terminate(state_.component.get()), "fmi3Terminate");
  }

  void SetSizes() override {
    const Fmu& fmu = library_->fmu();
    if (fmu.sizes.empty()) {
      return;
    }
    try {
      Configure(fmu);
    } catch (const CallFailure& failure) {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot give " + fmu.archive->name() +
                      " other sizes of arrays: " + failure.what());
    }
  }

  [[nodiscard]] StepEvents* step_events() override { return events_.get(); }

  [[nodiscard]] ClockCalls* clocks() override { return clocks_.get(); }

  [[nodiscard]] ContinuousCalls* continuous() override {
    return continuous_.get();
  }

  [[nodiscard]] const MessageLog& log() const override { return state_.log; }

 private:
  [[nodiscard]] Component3 Make(const std::string& name) {
    const char* const token = library_->fmu().description->token.c_str();
    if (continuous_ != nullptr) {
      return call_.instantiate_continuous(name.c_str(),
                                          token,
                                          resources_.c_str(),
                                          false,
                                          true,
                                          &state_.log,
                                          Log3);
    }
    if (library_->interface().kind == InterfaceKind::kScheduledExecution) {
      return call_.instantiate_scheduled(
          name.c_str(),
          token,
          resources_.c_str(),
          false,
          true,
          &state_.log,
          Log3,
          [](void* /*environment*/) {},
          [] {},
          [] {});
    }
    const bool has_events = events_ != nullptr;
    return call_.instantiate(name.c_str(),
                             token,
                             resources_.c_str(),
                             false,
                             true,
                             has_events,
                             has_events,
                             nullptr,
                             0,
                             &state_.log,
                             Log3,
                             nullptr);
  }

  void Check(int status, const char* function) {
    state_.Check(status, function);
  }

  void Configure(const Fmu& fmu) {
    Check(call_.enter_configuration(state_.component.get()),
          "fmi3EnterConfigurationMode");
    for (const VariableIndex i : fmu.sizes) {
      const Variable& variable = fmu.description->variables[i];
      Set(variable, StartOf(variable));
    }
    Check(call_.exit_configuration(state_.component.get()),
          "fmi3ExitConfigurationMode");
  }

  void SetTexts(const Variable& variable,
                const std::vector<std::string>& texts) {
    const Reference3 reference = variable.reference;
    if (variable.type == ValueType::kString) {
      std::vector<String3> values;
      values.reserve(texts.size());
      for (const std::string& text : texts) {
        values.push_back(text.c_str());
      }
      Check(call_.set_string(state_.component.get(),
                             &reference,
                             1,
                             values.data(),
                             values.size()),
            "fmi3SetString");
      return;
    }
    std::vector<std::size_t> sizes;
    std::vector<Bytes3> values;
    sizes.reserve(texts.size());
    values.reserve(texts.size());
    for (const std::string& text : texts) {
      sizes.push_back(text.size());
      values.push_back(reinterpret_cast<Bytes3>(text.data()));
    }
    Check(call_.set_binary(state_.component.get(),
                           &reference,
                           1,
                           sizes.data(),
                           values.data(),
                           values.size()),
          "fmi3SetBinary");
  }

  template <typename T>
  void SetOne(const Access3<T>& access,
              Reference3 reference,
              const Values& values) {
    const std::size_t count = CountOf(values);
    const auto converted = std::make_unique<T[]>(count);
    std::visit(
        [&](const auto& its) {
          using Value = typename std::remove_cvref_t<decltype(its)>::value_type;
          if constexpr (!std::is_same_v<Value, std::string>) {
            for (std::size_t i = 0; i < count; ++i) {
              converted[i] = static_cast<T>(its[i]);
            }
          }
        },
        values);
    Check(access.set(
              state_.component.get(), &reference, 1, converted.get(), count),
          access.setter);
  }

  std::shared_ptr<const Library> library_;
  Functions3 call_;
  InstanceState state_;
  std::string resources_;
  std::unique_ptr<ContinuousCalls> continuous_;
  std::unique_ptr<StepEvents> events_;
  std::unique_ptr<ClockCalls> clocks_;
};

}  // namespace

std::unique_ptr<Instance> MakeInstance3(std::shared_ptr<const Library> library,
                                        const std::string& name) {
  return std::make_unique<Instance3>(std::move(library), name);
}

}  // namespace orrery::fmi::internal
