// An FMU of FMI 3.0 for tests, for Model Exchange: a ball with the equations
//
//     der(h) = v, der(v) = g + u, v := -e*v where h falls to 0,
//
// that counts its bounces (`bounces`), wants to end after `most` of them, and
// counts the ticks of a clock with the period 0.25 s (`ticks`). It checks that
// functions are called in the modes in which the standard allows them.
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "orrery/fmi/test/fmus/functions.h"

namespace {

enum class Mode { kInstantiated, kInitialization, kEvent, kContinuous };

enum Real { kTime, kH, kV, kDerH, kDerV, kG, kE, kU, kEnergy, kNumReals };

enum Whole { kBounces, kTicks, kMost, kFailsAt, kHow, kNumWholes };

using Log = void (*)(void*, int, const char*, const char*);

struct Ball {
  double reals[kNumReals];
  std::int32_t wholes[kNumWholes];  // From reference 20 on.
  bool flag;                        // Reference 40: time stands still.
  double next_tick;
  Mode mode;
  void* environment;
  Log log;
};

void Begin(Ball& ball) {
  ball.reals[kH] = 1;
  ball.reals[kV] = 0;
  ball.reals[kG] = -9.81;
  ball.reals[kE] = 0.7;
  ball.reals[kU] = 0;
  ball.wholes[kBounces] = 0;
  ball.wholes[kTicks] = 0;
  ball.wholes[kMost] = 1000;
  ball.wholes[kFailsAt] = 1000;
  ball.wholes[kHow] = 3;
  ball.flag = false;
  ball.mode = Mode::kInstantiated;
}

Ball& BallOf(void* instance) {
  return *static_cast<Ball*>(instance);
}

// 3, an error, unless the ball is in one of two modes.
int Require(Ball& ball, Mode one, Mode other, const char* what) {
  if (ball.mode == one || ball.mode == other) {
    return 0;
  }
  ball.log(ball.environment, 3, "logStatusError", what);
  return 3;
}

void Compute(Ball& ball) {
  double* const its = ball.reals;
  its[kDerH] = its[kV];
  its[kDerV] = its[kG] + its[kU];
  its[kEnergy] = its[kV] * its[kV] / 2 - its[kG] * its[kH];
}

}  // namespace

extern "C" {

NO_ACCESS(Float32, float)
NO_ACCESS(Int8, std::int8_t)
NO_ACCESS(UInt8, std::uint8_t)
NO_ACCESS(Int16, std::int16_t)
NO_ACCESS(UInt16, std::uint16_t)
NO_ACCESS(UInt32, std::uint32_t)
NO_ACCESS(Int64, std::int64_t)
NO_ACCESS(UInt64, std::uint64_t)

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
    void* environment,
    Log log) {
  auto* const ball = new Ball{};
  Begin(*ball);
  ball->environment = environment;
  ball->log = log;
  return ball;
}

API(void, fmi3FreeInstance, void* instance) {
  delete static_cast<Ball*>(instance);
}

API(int, fmi3Reset, void* instance) {
  Begin(BallOf(instance));
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
  Ball& ball = BallOf(instance);
  ball.reals[kTime] = start;
  ball.next_tick = start + 0.25;
  ball.mode = Mode::kInitialization;
  return 0;
}

API(int, fmi3ExitInitializationMode, void* instance) {
  BallOf(instance).mode = Mode::kEvent;
  return 0;
}

API(int, fmi3Terminate, void*) {
  return 0;
}

API(int, fmi3EnterEventMode, void* instance) {
  Ball& ball = BallOf(instance);
  const int status = Require(ball,
                             Mode::kContinuous,
                             Mode::kContinuous,
                             "event mode follows continuous time");
  ball.mode = Mode::kEvent;
  return status;
}

API(int, fmi3EnterContinuousTimeMode, void* instance) {
  Ball& ball = BallOf(instance);
  const int status = Require(
      ball, Mode::kEvent, Mode::kEvent, "continuous time follows event mode");
  ball.mode = Mode::kContinuous;
  return status;
}

// Bounces in the second pass, to show that passes go on.
API(int,
    fmi3UpdateDiscreteStates,
    void* instance,
    bool* goes_on,
    bool* ends,
    bool* has_new_nominals,
    bool* has_new_states,
    bool* has_next_time,
    double* next_time) {
  Ball& ball = BallOf(instance);
  *has_new_nominals = false;
  *has_new_states = false;
  *goes_on = false;
  if (ball.reals[kTime] >= ball.next_tick) {
    ++ball.wholes[kTicks];
    ball.next_tick += 0.25;
    *goes_on = true;
  } else if (ball.reals[kH] <= 0 && ball.reals[kV] < 0) {
    ball.reals[kH] = 0;
    ball.reals[kV] *= -ball.reals[kE];
    ++ball.wholes[kBounces];
    *has_new_states = true;
  }
  *ends = ball.wholes[kBounces] >= ball.wholes[kMost];
  *has_next_time = true;
  *next_time = ball.flag ? 0.125 : ball.next_tick;
  return Require(
      ball, Mode::kEvent, Mode::kEvent, "updates are for event mode");
}

API(int, fmi3SetTime, void* instance, double t) {
  Ball& ball = BallOf(instance);
  ball.reals[kTime] = t;
  return Require(ball,
                 Mode::kContinuous,
                 Mode::kContinuous,
                 "time is set in continuous time");
}

API(int,
    fmi3SetContinuousStates,
    void* instance,
    const double* x,
    std::size_t) {
  Ball& ball = BallOf(instance);
  ball.reals[kH] = x[0];
  ball.reals[kV] = x[1];
  return Require(ball,
                 Mode::kContinuous,
                 Mode::kContinuous,
                 "states are set in continuous time");
}

API(int, fmi3GetContinuousStates, void* instance, double* x, std::size_t) {
  x[0] = BallOf(instance).reals[kH];
  x[1] = BallOf(instance).reals[kV];
  return 0;
}

API(int,
    fmi3GetContinuousStateDerivatives,
    void* instance,
    double* dx,
    std::size_t) {
  Ball& ball = BallOf(instance);
  if (ball.reals[kTime] >= ball.wholes[kFailsAt]) {
    ball.log(ball.environment, 3, "logStatusError", "the ball is lost");
    return ball.wholes[kHow];
  }
  Compute(ball);
  dx[0] = ball.reals[kDerH];
  dx[1] = ball.reals[kDerV];
  return ball.mode == Mode::kInstantiated ? 3 : 0;
}

// The ball at rest does not change it.
API(int, fmi3GetEventIndicators, void* instance, double* z, std::size_t) {
  const Ball& ball = BallOf(instance);
  z[0] = ball.reals[kH] == 0 && ball.reals[kV] >= 0 ? 1 : ball.reals[kH];
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
  Compute(BallOf(instance));
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = BallOf(instance).reals[references[i]];
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
    BallOf(instance).reals[references[i]] = values[i];
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
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = BallOf(instance).wholes[references[i] - 20];
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
    BallOf(instance).wholes[references[i] - 20] = values[i];
  }
  return 0;
}

API(int,
    fmi3GetBoolean,
    void* instance,
    const std::uint32_t*,
    std::size_t,
    bool* values,
    std::size_t) {
  *values = BallOf(instance).flag;
  return 0;
}

API(int,
    fmi3SetBoolean,
    void* instance,
    const std::uint32_t*,
    std::size_t,
    const bool* values,
    std::size_t) {
  BallOf(instance).flag = *values;
  return 0;
}

}  // extern "C"
