// An FMU of FMI 2.0 for tests, for Model Exchange: the lag
//
//     T*der(x) = k*u*gear - x, y = x + 2*u, x(0) = 2*x_half,
//
// which tells its directional derivatives. Where a step ends with x above
// `limit`, it wants an event, in which it turns k over (`turns` counts that).
#include <cstddef>
#include <cstdlib>

#include "orrery/fmi/test/fmus/functions.h"

namespace {

struct Callbacks {
  void (*log)(void*, const char*, int, const char*, const char*, ...);
  void* (*allocate)(std::size_t, std::size_t);
  void (*free)(void*);
  void (*finished)(void*, int);
  void* environment;
};

enum Real { kX, kRate, kU, kK, kT, kY, kHalf, kLimit, kNumReals };

enum Whole { kGear, kTurns, kNumWholes };

struct Switch {
  double reals[kNumReals];
  int wholes[kNumWholes];
  double t;
  bool is_initial;
  Callbacks callbacks;
};

struct EventInfo {
  int needs_update;
  int ends;
  int has_new_nominals;
  int has_new_states;
  int has_next_time;
  double next_time;
};

Switch& SwitchOf(void* component) {
  return *static_cast<Switch*>(component);
}

void Begin(Switch& its) {
  const double starts[kNumReals] = {0, 0, 1, 1, 1, 0, 0, 100};
  for (int i = 0; i < kNumReals; ++i) {
    its.reals[i] = starts[i];
  }
  its.wholes[kGear] = 1;
  its.wholes[kTurns] = 0;
}

void Compute(Switch& its) {
  double* const r = its.reals;
  if (its.is_initial) {
    r[kX] = 2 * r[kHalf];
  }
  const double sign = its.wholes[kTurns] % 2 == 0 ? 1 : -1;
  r[kRate] = (sign * r[kK] * r[kU] * its.wholes[kGear] - r[kX]) / r[kT];
  r[kY] = r[kX] + 2 * r[kU];
}

}  // namespace

extern "C" {

API(void*,
    fmi2Instantiate,
    const char*,
    int,
    const char*,
    const char*,
    const Callbacks* callbacks,
    int,
    int) {
  auto* const its =
      static_cast<Switch*>(callbacks->allocate(1, sizeof(Switch)));
  its->callbacks = *callbacks;
  Begin(*its);
  return its;
}

API(void, fmi2FreeInstance, void* component) {
  SwitchOf(component).callbacks.free(component);
}

API(int, fmi2Reset, void* component) {
  Begin(SwitchOf(component));
  return 0;
}

API(int,
    fmi2SetupExperiment,
    void* component,
    int,
    double,
    double start,
    int,
    double) {
  SwitchOf(component).t = start;
  return 0;
}

API(int, fmi2EnterInitializationMode, void* component) {
  SwitchOf(component).is_initial = true;
  return 0;
}

API(int, fmi2ExitInitializationMode, void* component) {
  Compute(SwitchOf(component));
  SwitchOf(component).is_initial = false;
  return 0;
}

API(int, fmi2Terminate, void*) {
  return 0;
}

API(int, fmi2EnterEventMode, void*) {
  return 0;
}

API(int, fmi2EnterContinuousTimeMode, void*) {
  return 0;
}

API(int, fmi2NewDiscreteStates, void* component, EventInfo* info) {
  Switch& its = SwitchOf(component);
  *info = {};
  if (its.reals[kX] > its.reals[kLimit] && its.wholes[kTurns] == 0) {
    ++its.wholes[kTurns];
  }
  return 0;
}

API(int, fmi2SetTime, void* component, double t) {
  SwitchOf(component).t = t;
  return 0;
}

API(int,
    fmi2SetContinuousStates,
    void* component,
    const double* x,
    std::size_t) {
  SwitchOf(component).reals[kX] = x[0];
  return 0;
}

// As the next ones, it refuses to be called in the initialization.
API(int, fmi2GetContinuousStates, void* component, double* x, std::size_t) {
  x[0] = SwitchOf(component).reals[kX];
  return SwitchOf(component).is_initial ? 3 : 0;
}

API(int, fmi2GetDerivatives, void* component, double* dx, std::size_t) {
  Compute(SwitchOf(component));
  dx[0] = SwitchOf(component).reals[kRate];
  return SwitchOf(component).is_initial ? 3 : 0;
}

API(int, fmi2GetEventIndicators, void* component, double*, std::size_t) {
  return SwitchOf(component).is_initial ? 3 : 0;
}

API(int,
    fmi2CompletedIntegratorStep,
    void* component,
    int,
    int* wants_event,
    int* ends) {
  const Switch& its = SwitchOf(component);
  *wants_event =
      its.reals[kX] > its.reals[kLimit] && its.wholes[kTurns] == 0 ? 1 : 0;
  *ends = 0;
  return 0;
}

// x and u are known, rate and y are not.
API(int,
    fmi2GetDirectionalDerivative,
    void* component,
    const unsigned* unknowns,
    std::size_t num_unknowns,
    const unsigned* knowns,
    std::size_t num_knowns,
    const double* seed,
    double* result) {
  const Switch& its = SwitchOf(component);
  const double sign = its.wholes[kTurns] % 2 == 0 ? 1 : -1;
  for (std::size_t i = 0; i < num_unknowns; ++i) {
    result[i] = 0;
    for (std::size_t j = 0; j < num_knowns; ++j) {
      const bool by_x = knowns[j] == kX;
      const double part =
          unknowns[i] == kRate
              ? (by_x ? -1 : sign * its.reals[kK] * its.wholes[kGear]) /
                    its.reals[kT]
              : (by_x ? 1 : 2);
      result[i] += part * seed[j];
    }
  }
  return 0;
}

API(int,
    fmi2GetReal,
    void* component,
    const unsigned* references,
    std::size_t count,
    double* values) {
  Compute(SwitchOf(component));
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = SwitchOf(component).reals[references[i]];
  }
  return 0;
}

API(int,
    fmi2SetReal,
    void* component,
    const unsigned* references,
    std::size_t count,
    const double* values) {
  for (std::size_t i = 0; i < count; ++i) {
    SwitchOf(component).reals[references[i]] = values[i];
  }
  return 0;
}

API(int,
    fmi2GetInteger,
    void* component,
    const unsigned* references,
    std::size_t count,
    int* values) {
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = SwitchOf(component).wholes[references[i]];
  }
  return 0;
}

API(int,
    fmi2SetInteger,
    void* component,
    const unsigned* references,
    std::size_t count,
    const int* values) {
  for (std::size_t i = 0; i < count; ++i) {
    SwitchOf(component).wholes[references[i]] = values[i];
  }
  return 0;
}

API(int, fmi2GetBoolean, void*, const unsigned*, std::size_t, int*) {
  return 3;
}

API(int, fmi2SetBoolean, void*, const unsigned*, std::size_t, const int*) {
  return 3;
}

API(int,
    fmi2SetString,
    void*,
    const unsigned*,
    std::size_t,
    const char* const*) {
  return 3;
}

}  // extern "C"
