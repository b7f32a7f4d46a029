// An FMU of FMI 3.0 for tests, for Model Exchange and Co-Simulation, with
// arrays of n elements: x[i]' = gain*k[i], k[i] = i as its code has it, y = sum
// of x. In Co-Simulation it ends a step early every 0.3 s, counts these events
// in `ticks`, and takes the discrete input `gain` in event mode only.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "orrery/fmi/test/fmus/functions.h"

namespace {

constexpr std::size_t kMost = 5;

enum class Mode { kStart, kSizes, kInitial, kEvent, kStep, kContinuous };

struct Rows {
  std::uint64_t n = 2;
  double k[kMost] = {1, 2, 3, 4, 5};
  double x[kMost] = {};
  double gain = 1;
  std::int32_t ticks = 0;
  double t = 0;
  double next = 0.3;
  bool steps = false;     // Co-Simulation with event mode.
  bool is_plain = false;  // Without.
  Mode mode = Mode::kStart;
};

Rows& RowsOf(void* instance) {
  return *static_cast<Rows*>(instance);
}

// Error where the FMU is in another mode.
int Require(Rows& rows, Mode from, Mode to) {
  const int status = rows.mode == from ? 0 : 3;
  rows.mode = to;
  return status;
}

double Sum(const Rows& rows) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.n; ++i) {
    sum += rows.x[i];
  }
  return sum;
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
  return new Rows;
}

API(void*,
    fmi3InstantiateCoSimulation,
    const char*,
    const char* token,
    const char*,
    bool,
    bool,
    bool uses_events,
    bool returns_early,
    const std::uint32_t*,
    std::size_t,
    void* environment,
    Log log,
    Update) {
  if (std::string_view(token) == "bad") {
    log(environment, 3, "logStatusError", "a bad token");
    return nullptr;
  }
  if (uses_events && std::string_view(token) == "no events") {
    return nullptr;
  }
  auto* const rows = new Rows;
  rows->steps = uses_events && returns_early;
  rows->is_plain = !uses_events;
  return rows;
}

API(void, fmi3FreeInstance, void* instance) {
  delete static_cast<Rows*>(instance);
}

API(int, fmi3Reset, void* instance) {
  const bool steps = RowsOf(instance).steps;
  RowsOf(instance) = Rows{};
  RowsOf(instance).steps = steps;
  return 0;
}

API(int, fmi3EnterConfigurationMode, void* instance) {
  return Require(RowsOf(instance), Mode::kStart, Mode::kSizes);
}

API(int, fmi3ExitConfigurationMode, void* instance) {
  return Require(RowsOf(instance), Mode::kSizes, Mode::kStart);
}

API(int,
    fmi3EnterInitializationMode,
    void* instance,
    bool,
    double,
    double start,
    bool,
    double) {
  RowsOf(instance).t = start;
  return Require(RowsOf(instance), Mode::kStart, Mode::kInitial);
}

API(int, fmi3ExitInitializationMode, void* instance) {
  Rows& rows = RowsOf(instance);
  return Require(
      rows, Mode::kInitial, rows.is_plain ? Mode::kStep : Mode::kEvent);
}

API(int, fmi3Terminate, void*) {
  return 0;
}

API(int, fmi3EnterEventMode, void* instance) {
  Rows& rows = RowsOf(instance);
  return Require(
      rows, rows.steps ? Mode::kStep : Mode::kContinuous, Mode::kEvent);
}

API(int, fmi3EnterStepMode, void* instance) {
  return Require(RowsOf(instance), Mode::kEvent, Mode::kStep);
}

API(int, fmi3EnterContinuousTimeMode, void* instance) {
  return Require(RowsOf(instance), Mode::kEvent, Mode::kContinuous);
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
  Rows& rows = RowsOf(instance);
  *goes_on = false;
  *ends = false;
  *has_new_nominals = false;
  *has_new_states = false;
  *has_next_time = false;
  *next_time = 0;
  if (rows.steps && rows.t >= rows.next) {
    ++rows.ticks;
    rows.next += 0.3;
  }
  return Require(rows, Mode::kEvent, Mode::kEvent);
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
  Rows& rows = RowsOf(instance);
  const double wanted = t + step;
  *needs_event = !rows.is_plain && rows.next <= wanted;
  *returns_early = *needs_event && rows.next < wanted;
  *ends = false;
  *reached = *needs_event ? rows.next : wanted;
  for (std::size_t i = 0; i < rows.n; ++i) {
    rows.x[i] += rows.gain * rows.k[i] * (*reached - t);
  }
  rows.t = *reached;
  return Require(rows, Mode::kStep, Mode::kStep);
}

API(int, fmi3SetTime, void* instance, double t) {
  RowsOf(instance).t = t;
  return 0;
}

API(int,
    fmi3SetContinuousStates,
    void* instance,
    const double* x,
    std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    RowsOf(instance).x[i] = x[i];
  }
  return count == RowsOf(instance).n ? 0 : 3;
}

API(int,
    fmi3GetContinuousStates,
    void* instance,
    double* x,
    std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = RowsOf(instance).x[i];
  }
  return count == RowsOf(instance).n ? 0 : 3;
}

API(int,
    fmi3GetContinuousStateDerivatives,
    void* instance,
    double* dx,
    std::size_t count) {
  const Rows& rows = RowsOf(instance);
  for (std::size_t i = 0; i < count; ++i) {
    dx[i] = rows.gain * rows.k[i];
  }
  return count == rows.n ? 0 : 3;
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
    fmi3GetFloat64,
    void* instance,
    const std::uint32_t* references,
    std::size_t count,
    double* values,
    std::size_t) {
  const Rows& rows = RowsOf(instance);
  for (std::size_t i = 0; i < count; ++i) {
    switch (references[i]) {
      case 5:
        *values++ = Sum(rows);
        break;
      case 6:
        *values++ = rows.gain;
        break;
      default:
        for (std::size_t j = 0; j < rows.n; ++j) {
          *values++ = references[i] == 2   ? rows.k[j]
                      : references[i] == 3 ? rows.x[j]
                                           : rows.gain * rows.k[j];
        }
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
  Rows& rows = RowsOf(instance);
  for (std::size_t i = 0; i < count; ++i) {
    if (references[i] == 6) {
      if (rows.mode == Mode::kStep) {
        return 3;
      }
      rows.gain = *values++;
      continue;
    }
    for (std::size_t j = 0; j < rows.n; ++j) {
      (references[i] == 2 ? rows.k : rows.x)[j] = *values++;
    }
  }
  return 0;
}

API(int,
    fmi3GetInt32,
    void* instance,
    const std::uint32_t*,
    std::size_t,
    std::int32_t* values,
    std::size_t) {
  *values = RowsOf(instance).ticks;
  return 0;
}

API(int,
    fmi3SetInt32,
    void*,
    const std::uint32_t*,
    std::size_t,
    const std::int32_t*,
    std::size_t) {
  return 3;
}

API(int,
    fmi3GetUInt64,
    void* instance,
    const std::uint32_t*,
    std::size_t,
    std::uint64_t* values,
    std::size_t) {
  *values = RowsOf(instance).n;
  return 0;
}

API(int,
    fmi3SetUInt64,
    void* instance,
    const std::uint32_t*,
    std::size_t,
    const std::uint64_t* values,
    std::size_t) {
  RowsOf(instance).n = *values;
  return RowsOf(instance).mode == Mode::kSizes && *values <= kMost ? 0 : 3;
}

}  // extern "C"
