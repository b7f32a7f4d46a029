// An FMU of FMI 3.0 for tests, with clocks that tick in event mode. `base`
// ticks every 0.5 s from 0.25 s on; `third` every 1/3 s; `own` every `period`
// seconds from half of it on; `growing` 0.1 s, 0.2 s, 0.4 s... after its last
// tick; `later` 0.125 s after the third tick of base. `sudden` is triggered,
// and adds the input `step` to `sum`; `told` ticks if that makes it even.
// x' = number of ticks of base. Variables of clocks can be set and read in the
// initialization, and while one of their clocks is active.
#include <cstddef>
#include <cstdint>

#include "orrery/fmi/test/fmus/functions.h"

namespace {

enum : std::uint32_t {
  kBase,
  kThird,
  kOwn,
  kGrowing,
  kLater,
  kSudden,
  kTold,
  kNumClocks,
  kCounts = 10,  // By input clock.
  kSum = 16,
  kStep = 17,
  kAll = 18,  // Of no clock: ticks of all.
  kLast = 20,
  kPeriod = 21,
  kX = 22,
  kSlope = 23
};

enum class TickMode { kStart, kInitial, kEvent, kStep, kContinuous };

struct Ticks {
  bool is_active[kNumClocks] = {};
  bool is_done[kNumClocks] = {};  // The partition, in this instant.
  std::int32_t counts[6] = {};
  std::int32_t sum = 0;
  std::int32_t step = 1;
  double last = -1;  // Time of the last tick of base.
  double period = 0.4;
  double x = 0;
  double t = 0;
  double growing = 0.1;
  int growing_state = 2;
  int later_state = 0;
  bool steps = false;
  TickMode mode = TickMode::kStart;
};

Ticks& TicksOf(void* instance) {
  return *static_cast<Ticks*>(instance);
}

int Switch(Ticks& its, TickMode from, TickMode to) {
  const int status = its.mode == from ? 0 : 3;
  its.mode = to;
  return status;
}

// The clock of a variable; kNumClocks for none.
std::uint32_t ClockOf(std::uint32_t variable) {
  if (variable >= kCounts && variable < kSum) {
    return variable - kCounts;
  }
  if (variable == kSum || variable == kStep) {
    return kSudden;
  }
  return variable == kLast ? kBase : kNumClocks;
}

bool CanUse(const Ticks& its, std::uint32_t variable) {
  const std::uint32_t clock = ClockOf(variable);
  return clock == kNumClocks || its.mode == TickMode::kInitial ||
         its.is_active[clock];
}

// Carries out the partitions of active clocks, once an instant.
void Evaluate(Ticks& its) {
  for (std::uint32_t clock = 0; clock < kTold; ++clock) {
    if (!its.is_active[clock] || its.is_done[clock]) {
      continue;
    }
    its.is_done[clock] = true;
    ++its.counts[clock];
    if (clock == kBase) {
      its.last = its.t;
      its.later_state = its.counts[kBase] == 3 ? 2 : its.later_state;
    } else if (clock == kGrowing) {
      its.growing *= 2;
      its.growing_state = 2;
    } else if (clock == kSudden) {
      its.sum += its.step;
      its.is_active[kTold] = its.sum % 2 == 0;
    }
  }
}

}  // namespace

extern "C" {

using Log = void (*)(void*, int, const char*, const char*);
using Update = void (*)(void*, double, bool, bool, bool, bool, bool*, double*);

NO_ACCESS(Float32, float)
NO_ACCESS(Int8, std::int8_t)
NO_ACCESS(UInt8, std::uint8_t)
NO_ACCESS(Int16, std::int16_t)
NO_ACCESS(UInt16, std::uint16_t)
NO_ACCESS(UInt32, std::uint32_t)
NO_ACCESS(Int64, std::int64_t)
NO_ACCESS(UInt64, std::uint64_t)
NO_ACCESS(Boolean, bool)

API(int,
    fmi3SetString,
    void*,
    const std::uint32_t*,
    std::size_t,
    const char* const*,
    std::size_t) {
  return 3;
}

API(int,
    fmi3SetBinary,
    void*,
    const std::uint32_t*,
    std::size_t,
    const std::size_t*,
    const std::uint8_t* const*,
    std::size_t) {
  return 3;
}

API(void*,
    fmi3InstantiateModelExchange,
    const char*,
    const char*,
    const char*,
    bool,
    bool,
    void*,
    Log) {
  return new Ticks;
}

API(void*,
    fmi3InstantiateCoSimulation,
    const char*,
    const char*,
    const char*,
    bool,
    bool,
    bool uses_events,
    bool,
    const std::uint32_t*,
    std::size_t,
    void*,
    Log,
    Update) {
  auto* const its = new Ticks;
  its->steps = uses_events;
  return its;
}

API(void, fmi3FreeInstance, void* instance) {
  delete static_cast<Ticks*>(instance);
}

API(int, fmi3Reset, void* instance) {
  const bool steps = TicksOf(instance).steps;
  TicksOf(instance) = Ticks{};
  TicksOf(instance).steps = steps;
  return 0;
}

API(int,
    fmi3EnterInitializationMode,
    void* instance,
    bool,
    double,
    double start,
    bool,
    double) {
  TicksOf(instance).t = start;
  return Switch(TicksOf(instance), TickMode::kStart, TickMode::kInitial);
}

API(int, fmi3ExitInitializationMode, void* instance) {
  return Switch(TicksOf(instance), TickMode::kInitial, TickMode::kEvent);
}

API(int, fmi3Terminate, void*) {
  return 0;
}

API(int, fmi3EnterEventMode, void* instance) {
  Ticks& its = TicksOf(instance);
  return Switch(its,
                its.steps ? TickMode::kStep : TickMode::kContinuous,
                TickMode::kEvent);
}

API(int, fmi3EnterStepMode, void* instance) {
  return Switch(TicksOf(instance), TickMode::kEvent, TickMode::kStep);
}

API(int, fmi3EnterContinuousTimeMode, void* instance) {
  return Switch(TicksOf(instance), TickMode::kEvent, TickMode::kContinuous);
}

API(int,
    fmi3UpdateDiscreteStates,
    void* instance,
    bool* goes_on,
    bool* ends,
    bool* has_new_nominals,
    bool* has_new_states,
    bool* has_next_time,
    double* next_time) {
  Ticks& its = TicksOf(instance);
  Evaluate(its);
  for (std::uint32_t clock = 0; clock < kNumClocks; ++clock) {
    its.is_active[clock] = false;
    its.is_done[clock] = false;
  }
  *goes_on = false;
  *ends = false;
  *has_new_nominals = false;
  *has_new_states = false;
  *has_next_time = false;
  *next_time = 0;
  return Switch(its, TickMode::kEvent, TickMode::kEvent);
}

API(int,
    fmi3DoStep,
    void* instance,
    double t,
    double step,
    bool,
    bool* needs_event,
    bool* ends,
    bool* returns_early,
    double* reached) {
  Ticks& its = TicksOf(instance);
  *needs_event = false;
  *ends = false;
  *returns_early = false;
  *reached = t + step;
  its.x += its.counts[kBase] * step;
  its.t = *reached;
  return Switch(its, TickMode::kStep, TickMode::kStep);
}

API(int, fmi3SetTime, void* instance, double t) {
  TicksOf(instance).t = t;
  return 0;
}

API(int,
    fmi3SetContinuousStates,
    void* instance,
    const double* x,
    std::size_t) {
  TicksOf(instance).x = *x;
  return 0;
}

API(int, fmi3GetContinuousStates, void* instance, double* x, std::size_t) {
  *x = TicksOf(instance).x;
  return 0;
}

API(int,
    fmi3GetContinuousStateDerivatives,
    void* instance,
    double* dx,
    std::size_t) {
  *dx = TicksOf(instance).counts[kBase];
  return 0;
}

API(int, fmi3GetEventIndicators, void*, double*, std::size_t) {
  return 0;
}

API(int, fmi3CompletedIntegratorStep, void*, bool, bool* wants, bool* ends) {
  *wants = false;
  *ends = false;
  return 0;
}

API(int,
    fmi3SetClock,
    void* instance,
    const std::uint32_t* references,
    std::size_t count,
    const bool* values) {
  Ticks& its = TicksOf(instance);
  for (std::size_t i = 0; i < count; ++i) {
    if (its.mode != TickMode::kEvent || references[i] >= kTold || !values[i]) {
      return 3;
    }
    its.is_active[references[i]] = true;
  }
  return 0;
}

API(int,
    fmi3GetClock,
    void* instance,
    const std::uint32_t* references,
    std::size_t count,
    bool* values) {
  Ticks& its = TicksOf(instance);
  if (its.mode != TickMode::kEvent || count != 1 || references[0] != kTold ||
      !its.is_active[kSudden]) {
    return 3;
  }
  Evaluate(its);
  values[0] = its.is_active[kTold];
  return 0;
}

API(int,
    fmi3GetIntervalDecimal,
    void* instance,
    const std::uint32_t* references,
    std::size_t count,
    double* intervals,
    int* qualifiers) {
  Ticks& its = TicksOf(instance);
  if (count != 1 ||
      (its.mode != TickMode::kInitial && its.mode != TickMode::kEvent)) {
    return 3;
  }
  switch (references[0]) {
    case kOwn:
      intervals[0] = its.period;
      qualifiers[0] = 2;
      return 0;
    case kGrowing:
      intervals[0] = its.growing;
      qualifiers[0] = its.growing_state;
      its.growing_state = 1;
      return 0;
    case kLater:
      intervals[0] = 0.125;
      qualifiers[0] = its.later_state;
      its.later_state = its.later_state == 2 ? 1 : its.later_state;
      return 0;
    default:
      return 3;
  }
}

API(int,
    fmi3GetShiftDecimal,
    void* instance,
    const std::uint32_t* references,
    std::size_t count,
    double* shifts) {
  shifts[0] = TicksOf(instance).period / 2;
  return count == 1 && references[0] == kOwn &&
                 TicksOf(instance).mode == TickMode::kInitial
             ? 0
             : 3;
}

// No clock has fractions that it tells.
API(int,
    fmi3GetIntervalFraction,
    void*,
    const std::uint32_t*,
    std::size_t,
    std::uint64_t*,
    std::uint64_t*,
    int*) {
  return 3;
}

API(int,
    fmi3GetFloat64,
    void* instance,
    const std::uint32_t* references,
    std::size_t count,
    double* values,
    std::size_t) {
  Ticks& its = TicksOf(instance);
  for (std::size_t i = 0; i < count; ++i) {
    if (!CanUse(its, references[i])) {
      return 3;
    }
    Evaluate(its);
    switch (references[i]) {
      case kLast:
        values[i] = its.last;
        break;
      case kPeriod:
        values[i] = its.period;
        break;
      case kX:
        values[i] = its.x;
        break;
      case kSlope:
        values[i] = its.counts[kBase];
        break;
      default:
        return 3;
    }
  }
  return 0;
}

API(int,
    fmi3SetFloat64,
    void* instance,
    const std::uint32_t* references,
    std::size_t count,
    const double* values,
    std::size_t) {
  for (std::size_t i = 0; i < count; ++i) {
    if (references[i] == kX) {
      TicksOf(instance).x = values[i];
    } else if (references[i] == kPeriod) {
      TicksOf(instance).period = values[i];
    } else {
      return 3;
    }
  }
  return 0;
}

API(int,
    fmi3GetInt32,
    void* instance,
    const std::uint32_t* references,
    std::size_t count,
    std::int32_t* values,
    std::size_t) {
  Ticks& its = TicksOf(instance);
  for (std::size_t i = 0; i < count; ++i) {
    if (!CanUse(its, references[i])) {
      return 3;
    }
    Evaluate(its);
    if (references[i] == kAll) {
      values[i] = 0;
      for (const std::int32_t number : its.counts) {
        values[i] += number;
      }
    } else {
      values[i] = references[i] == kSum ? its.sum
                  : references[i] == kStep
                      ? its.step
                      : its.counts[references[i] - kCounts];
    }
  }
  return 0;
}

API(int,
    fmi3SetInt32,
    void* instance,
    const std::uint32_t* references,
    std::size_t count,
    const std::int32_t* values,
    std::size_t) {
  if (count != 1 || references[0] != kStep ||
      !CanUse(TicksOf(instance), kStep)) {
    return 3;
  }
  TicksOf(instance).step = values[0];
  return 0;
}

}  // extern "C"
