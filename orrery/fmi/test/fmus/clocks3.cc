// An FMU of FMI 3.0 for tests, for Scheduled Execution: `base` ticks every 0.5
// s, and at its third tick, at 1 s, makes `later` tick 0.25 s after it;
// `sudden` is triggered, and adds the input `step` to its count. `order` has
// the last ticks as digits: 1 of base, 2 of sudden, 3 of later. `told` ticks
// with `later`.
#include <cstddef>
#include <cstdint>

#include "orrery/fmi/test/fmus/functions.h"

namespace {

enum : std::uint32_t {
  kBase = 1,
  kSudden = 2,
  kLater = 3,
  kTold = 4,
  kCounts = 10  // Of base, sudden, later; then order, step.
};

struct Clocks {
  std::int32_t numbers[5] = {};
  int interval = 0;  // A qualifier of FMI.
  bool has_told = false;
};

Clocks& ClocksOf(void* instance) {
  return *static_cast<Clocks*>(instance);
}

}  // namespace

extern "C" {

using Log = void (*)(void*, int, const char*, const char*);

NO_ACCESS(Float32, float)
NO_ACCESS(Float64, double)
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
    fmi3InstantiateScheduledExecution,
    const char*,
    const char*,
    const char*,
    bool,
    bool,
    void*,
    Log,
    void (*)(void*),
    void (*)(),
    void (*)()) {
  return new Clocks;
}

API(void, fmi3FreeInstance, void* instance) {
  delete static_cast<Clocks*>(instance);
}

API(int,
    fmi3EnterInitializationMode,
    void*,
    bool,
    double,
    double,
    bool,
    double) {
  return 0;
}

API(int, fmi3ExitInitializationMode, void*) {
  return 0;
}

API(int, fmi3Terminate, void*) {
  return 0;
}

API(int,
    fmi3GetInt32,
    void* instance,
    const std::uint32_t* references,
    std::size_t count,
    std::int32_t* values,
    std::size_t) {
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = ClocksOf(instance).numbers[references[i] - kCounts];
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
  for (std::size_t i = 0; i < count; ++i) {
    ClocksOf(instance).numbers[references[i] - kCounts] = values[i];
  }
  return 0;
}

API(int,
    fmi3ActivateModelPartition,
    void* instance,
    std::uint32_t clock,
    double) {
  Clocks& its = ClocksOf(instance);
  its.numbers[clock - 1] += clock == kSudden ? its.numbers[4] : 1;
  its.numbers[3] = its.numbers[3] % 1000 * 10 + static_cast<int>(clock);
  if (clock == kBase && its.numbers[0] == 3) {
    its.interval = 2;  // Changed.
  }
  its.has_told = clock == kLater;
  return 0;
}

API(int,
    fmi3GetIntervalDecimal,
    void* instance,
    const std::uint32_t* references,
    std::size_t count,
    double* intervals,
    int* qualifiers) {
  if (count != 1 || references[0] != kLater) {
    return 3;
  }
  intervals[0] = 0.25;
  qualifiers[0] = ClocksOf(instance).interval;
  ClocksOf(instance).interval = 1;  // Unchanged.
  return 0;
}

API(int,
    fmi3GetClock,
    void* instance,
    const std::uint32_t* references,
    std::size_t count,
    bool* values) {
  if (count != 1 || references[0] != kTold) {
    return 3;
  }
  values[0] = ClocksOf(instance).has_told;
  ClocksOf(instance).has_told = false;
  return 0;
}

}  // extern "C"
