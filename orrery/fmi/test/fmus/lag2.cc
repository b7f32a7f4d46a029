// An FMU of FMI 2.0 for tests: the lag T*der(x) = k*u - x by Euler's method,
// one step of it a communication step. From step `fails_at` on, steps return
// the status `how`.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Callbacks {
  void (*log)(void*, const char*, int, const char*, const char*, ...);
  void* (*allocate)(std::size_t, std::size_t);
  void (*free)(void*);
  void (*finished)(void*, int);
  void* environment;
};

struct Lag {
  Callbacks callbacks;
  double reals[4];  // x, u, k, T
  int integers[3];  // steps, fails_at, how
  int booleans[1];  // is_fast: T is halved.
  int label_size;
  double t;
};

Lag& LagOf(void* component) {
  return *static_cast<Lag*>(component);
}

}  // namespace

extern "C" {

void* fmi2Instantiate(const char* name,
                      int type,
                      const char* token,
                      const char* resources,
                      const Callbacks* callbacks,
                      int visible,
                      int logs);
void fmi2FreeInstance(void* component);
int fmi2SetupExperiment(void* component, int, double, double, int, double);
int fmi2EnterInitializationMode(void* component);
int fmi2ExitInitializationMode(void* component);
int fmi2Terminate(void* component);
int fmi2DoStep(void* component, double t, double step, int);
int fmi2GetRealStatus(void* component, int kind, double* value);
int fmi2GetBooleanStatus(void* component, int kind, int* value);
int fmi2GetReal(void*, const unsigned*, std::size_t, double*);
int fmi2SetReal(void*, const unsigned*, std::size_t, const double*);
int fmi2GetInteger(void*, const unsigned*, std::size_t, int*);
int fmi2SetInteger(void*, const unsigned*, std::size_t, const int*);
int fmi2GetBoolean(void*, const unsigned*, std::size_t, int*);
int fmi2SetBoolean(void*, const unsigned*, std::size_t, const int*);
int fmi2SetString(void*, const unsigned*, std::size_t, const char* const*);

void* fmi2Instantiate(const char* name,
                      int /*type*/,
                      const char* token,
                      const char* /*resources*/,
                      const Callbacks* callbacks,
                      int /*visible*/,
                      int /*logs*/) {
  if (std::strcmp(token, "{lag}") != 0) {
    callbacks->log(callbacks->environment,
                   name,
                   3,
                   "logStatusError",
                   "the token %s is not %s",
                   token,
                   "{lag}");
    return nullptr;
  }
  auto* const lag = static_cast<Lag*>(callbacks->allocate(1, sizeof(Lag)));
  lag->callbacks = *callbacks;
  lag->reals[2] = 1;
  lag->reals[3] = 1;
  lag->integers[1] = 1'000'000;
  lag->integers[2] = 2;
  return lag;
}

void fmi2FreeInstance(void* component) {
  LagOf(component).callbacks.free(component);
}

int fmi2SetupExperiment(
    void* component, int, double, double start, int, double) {
  LagOf(component).t = start;
  return 0;
}

int fmi2EnterInitializationMode(void*) {
  return 0;
}

int fmi2ExitInitializationMode(void*) {
  std::puts("printed by the lag");
  return 0;
}

int fmi2Terminate(void*) {
  return 0;
}

int fmi2DoStep(void* component, double t, double step, int) {
  Lag& lag = LagOf(component);
  ++lag.integers[0];
  if (lag.integers[0] >= lag.integers[1]) {
    lag.callbacks.log(lag.callbacks.environment,
                      "lag",
                      lag.integers[2],
                      "logStatusError",
                      "step %d failed, as #i1# says",
                      lag.integers[0]);
    const int status = lag.integers[2];
    if (status == 4) {  // Fatal: nobody may call it any more.
      lag.callbacks.free(&lag);
    }
    return status;
  }
  const double time_constant =
      lag.booleans[0] != 0 ? lag.reals[3] / 2 : lag.reals[3];
  lag.reals[0] +=
      step * (lag.reals[2] * lag.reals[1] - lag.reals[0]) / time_constant;
  lag.t = t + step;
  return 0;
}

// A discarded step ends the run.
int fmi2GetRealStatus(void* component, int, double* value) {
  *value = LagOf(component).t;
  return 0;
}

int fmi2GetBooleanStatus(void*, int, int* value) {
  *value = 1;
  return 0;
}

int fmi2GetReal(void* component,
                const unsigned* references,
                std::size_t count,
                double* values) {
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = LagOf(component).reals[references[i]];
  }
  return 0;
}

int fmi2SetReal(void* component,
                const unsigned* references,
                std::size_t count,
                const double* values) {
  for (std::size_t i = 0; i < count; ++i) {
    LagOf(component).reals[references[i]] = values[i];
  }
  return 0;
}

int fmi2GetInteger(void* component,
                   const unsigned* references,
                   std::size_t count,
                   int* values) {
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = references[i] == 3 ? LagOf(component).label_size
                                   : LagOf(component).integers[references[i]];
  }
  return 0;
}

int fmi2SetInteger(void* component,
                   const unsigned* references,
                   std::size_t count,
                   const int* values) {
  for (std::size_t i = 0; i < count; ++i) {
    LagOf(component).integers[references[i]] = values[i];
  }
  return 0;
}

int fmi2GetBoolean(void* component,
                   const unsigned* references,
                   std::size_t count,
                   int* values) {
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = LagOf(component).booleans[references[i]];
  }
  return 0;
}

int fmi2SetBoolean(void* component,
                   const unsigned* references,
                   std::size_t count,
                   const int* values) {
  for (std::size_t i = 0; i < count; ++i) {
    LagOf(component).booleans[references[i]] = values[i];
  }
  return 0;
}

int fmi2SetString(void* component,
                  const unsigned*,
                  std::size_t,
                  const char* const* values) {
  LagOf(component).label_size = static_cast<int>(std::strlen(values[0]));
  return 0;
}

}  // extern "C"
