// Instances of exported FMUs: their states, saved, restored and serialised;
// what they are set to; the ends of their steps.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/source_file.h"
#include "orrery/fmi/fmu.h"
#include "orrery/fmi/library.h"
#include "orrery/fmi/writing/exported_fmu.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery::fmi {
namespace {

constexpr const char* kBall = R"(
model Ball
  parameter Real e = 0.8;
  input Real wind(start = 0);
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  discrete Integer bounces(start = 0, fixed = true);
  output Real speed = abs(v);
  Real rest(final start = 1, fixed = true);
equation
  der(rest) = -rest;
  der(h) = v;
  der(v) = wind - 9.81 - 0.1*v*abs(v);
  when h <= 0 then
    reinit(v, -e*pre(v));
    bounces = pre(bounces) + 1;
  end when;
end Ball;
)";

constexpr const char* kMixed = R"(
model Mixed
  Real x(start = 1, fixed = true);
  Real z(start = 1);
  discrete Real d(start = 0, fixed = true);
equation
  der(x) = z - delay(x, 0.15);
  z + exp(0.3*z) = 2*x + sin(time);
  when sample(0, 0.07) then
    d = pre(d) + x;
  end when;
end Mixed;
)";

constexpr const char* kTicks = R"(
model Ticks
  discrete output Real n(start = 0, fixed = true);
equation
  when sample(0, 0.1) then
    n = pre(n) + 1;
  end when;
end Ticks;
)";

// An instance in C of an exported FMU, with the functions of either version.
class ExportedInstance {
 public:
  explicit ExportedInstance(std::shared_ptr<const Library> library)
      : library_(std::move(library)),
        is_old_(library_->fmu().description->version == FmiVersion::k2) {
    const std::string place = library_->ResourcePlace();
    const std::string& token = library_->fmu().description->token;
    if (is_old_) {
      void* (*make)(
          const char*, int, const char*, const char*, const void*, int, int) =
          nullptr;
      library_->Find("fmi2Instantiate", make);
      its_ = make("one", 1, token.c_str(), place.c_str(), nullptr, 0, 0);
      int (*setup)(void*, int, double, double, int, double) = nullptr;
      library_->Find("fmi2SetupExperiment", setup);
      EXPECT_EQ(setup(its_, 0, 0, 0, 1, 10), 0);
    } else {
      void* (*make)(const char*,
                    const char*,
                    const char*,
                    bool,
                    bool,
                    bool,
                    bool,
                    const std::uint32_t*,
                    std::size_t,
                    void*,
                    void*,
                    void*) = nullptr;
      library_->Find("fmi3InstantiateCoSimulation", make);
      its_ = make("one",
                  token.c_str(),
                  place.c_str(),
                  false,
                  false,
                  false,
                  false,
                  nullptr,
                  0,
                  nullptr,
                  nullptr,
                  nullptr);
    }
  }

  ExportedInstance(const ExportedInstance&) = delete;
  ExportedInstance& operator=(const ExportedInstance&) = delete;

  ~ExportedInstance() {
    void (*free_it)(void*) = nullptr;
    library_->Find(Name("FreeInstance").c_str(), free_it);
    free_it(its_);
  }

  void Start() {
    if (is_old_) {
      EXPECT_EQ(Call<>("EnterInitializationMode"), 0);
    } else {
      int (*enter)(void*, bool, double, double, bool, double) = nullptr;
      library_->Find("fmi3EnterInitializationMode", enter);
      EXPECT_EQ(enter(its_, false, 0, 0, true, 10), 0);
    }
    EXPECT_EQ(Call<>("ExitInitializationMode"), 0);
  }

  void Step(double t, double h) {
    if (is_old_) {
      EXPECT_EQ((Call<double, double, int>("DoStep", t, h, 0)), 0);
      return;
    }
    int (*step)(void*, double, double, bool, bool*, bool*, bool*, double*) =
        nullptr;
    library_->Find("fmi3DoStep", step);
    bool truth = false;
    double reached = 0;
    EXPECT_EQ(step(its_, t, h, false, &truth, &truth, &truth, &reached), 0);
    EXPECT_EQ(reached, t + h);
  }

  // The values of all numbers of the FMU.
  std::vector<double> Values() {
    std::vector<double> values;
    for (const Variable& variable : library_->fmu().description->variables) {
      if (variable.type == ValueType::kFloat64) {
        values.push_back(Get(variable.reference));
      }
    }
    return values;
  }

  void Set(const std::string& name, double value) {
    EXPECT_EQ(TrySet(name, value), 0);
  }

  // Returns the status of the call.
  int TrySet(const std::string& name, double value) {
    for (const Variable& variable : library_->fmu().description->variables) {
      if (variable.name != name) {
        continue;
      }
      const std::uint32_t reference = variable.reference;
      return is_old_
                 ? Call<const std::uint32_t*, std::size_t, const double*>(
                       "SetReal", &reference, 1, &value)
                 : Call<const std::uint32_t*,
                        std::size_t,
                        const double*,
                        std::size_t>("SetFloat64", &reference, 1, &value, 1);
    }
    ADD_FAILURE() << name;
    return 0;
  }

  void Save(void** state) { EXPECT_EQ(Call<void**>(GetName(), state), 0); }

  int Restore(void* state) { return Call<void*>(SetName(), state); }

  void Free(void** state) {
    EXPECT_EQ(Call<void**>(is_old_ ? "FreeFMUstate" : "FreeFMUState", state),
              0);
    EXPECT_EQ(*state, nullptr);
  }

  std::string Serialised(void* state) {
    std::size_t size = 0;
    EXPECT_EQ((Call<void*, std::size_t*>(
                  is_old_ ? "SerializedFMUstateSize" : "SerializedFMUStateSize",
                  state,
                  &size)),
              0);
    std::string bytes(size, '\0');
    EXPECT_EQ((Call<void*, char*, std::size_t>(
                  is_old_ ? "SerializeFMUstate" : "SerializeFMUState",
                  state,
                  bytes.data(),
                  size)),
              0);
    return bytes;
  }

  int Deserialise(const std::string& bytes, void** state) {
    return Call<const char*, std::size_t, void**>(
        is_old_ ? "DeSerializeFMUstate" : "DeserializeFMUState",
        bytes.data(),
        bytes.size(),
        state);
  }

 private:
  [[nodiscard]] const char* GetName() const {
    return is_old_ ? "GetFMUstate" : "GetFMUState";
  }

  [[nodiscard]] const char* SetName() const {
    return is_old_ ? "SetFMUstate" : "SetFMUState";
  }

  [[nodiscard]] std::string Name(const char* end) const {
    return std::string(is_old_ ? "fmi2" : "fmi3") + end;
  }

  template <typename... Arguments>
  int Call(const char* end, Arguments... arguments) {
    int (*function)(void*, Arguments...) = nullptr;
    library_->Find(Name(end).c_str(), function);
    return function(its_, arguments...);
  }

  double Get(std::uint32_t reference) {
    double value = 0;
    const int status =
        is_old_ ? Call<const std::uint32_t*, std::size_t, double*>(
                      "GetReal", &reference, 1, &value)
                : Call<const std::uint32_t*, std::size_t, double*, std::size_t>(
                      "GetFloat64", &reference, 1, &value, 1);
    EXPECT_EQ(status, 0);
    return value;
  }

  std::shared_ptr<const Library> library_;
  bool is_old_;
  void* its_ = nullptr;
};

class ExportedStateTest : public testing::TestWithParam<FmiVersion> {
 protected:
  static std::shared_ptr<const Library> LibraryOf(
      const char* text, Method method, std::optional<double> step = {}) {
    Diagnostics diagnostics;
    const Fmu fmu = ReadFmu(
        std::make_shared<const SourceFile>(
            "own.fmu",
            ExportFmu(CompileText(text),
                      {.version = GetParam(), .method = method, .step = step})),
        diagnostics);
    EXPECT_TRUE(fmu.description->interfaces[0].can_get_and_set_state);
    EXPECT_TRUE(fmu.description->interfaces[0].can_serialize_state);
    return std::make_shared<const Library>(fmu, InterfaceKind::kCoSimulation);
  }
};

INSTANTIATE_TEST_SUITE_P(Versions,
                         ExportedStateTest,
                         testing::Values(FmiVersion::k2, FmiVersion::k3));

constexpr double kStep = 0.11;

// The values after each of some steps from `k * kStep` on.
std::vector<std::vector<double>> StepOn(ExportedInstance& instance,
                                        int from,
                                        int to) {
  std::vector<std::vector<double>> rows;
  for (int k = from; k < to; ++k) {
    instance.Step(k * kStep, kStep);
    rows.push_back(instance.Values());
  }
  return rows;
}

TEST_P(ExportedStateTest, StepsAgainFromAStateToTheSameBits) {
  struct Case {
    const char* text;
    Method method;
    std::optional<double> step = {};
  };

  for (const Case& its : {Case{kBall, Method::kAuto},
                          Case{kBall, Method::kDormandPrince5},
                          Case{kBall, Method::kRosenbrock},
                          Case{kBall, Method::kRungeKutta4, 0.01},
                          Case{kMixed, Method::kAuto},
                          Case{kMixed, Method::kDormandPrince8},
                          Case{kMixed, Method::kRosenbrock}}) {
    ExportedInstance one(LibraryOf(its.text, its.method, its.step));
    one.Start();
    StepOn(one, 0, 5);
    const std::vector<double> here = one.Values();
    void* state = nullptr;
    one.Save(&state);
    const auto rows = StepOn(one, 5, 20);
    for (int again = 0; again < 2; ++again) {
      EXPECT_EQ(one.Restore(state), 0);
      EXPECT_EQ(one.Values(), here);
      EXPECT_EQ(StepOn(one, 5, 20), rows);
    }
    one.Free(&state);
  }
}

TEST_P(ExportedStateTest, AnotherInstanceGoesOnFromASerialisedState) {
  const auto library = LibraryOf(kBall, Method::kAuto);
  ExportedInstance one(library);
  one.Set("e", 0.7);
  one.Start();
  StepOn(one, 0, 7);
  one.Set("wind", 2);
  void* state = nullptr;
  one.Save(&state);
  const std::string bytes = one.Serialised(state);
  const auto rows = StepOn(one, 7, 20);
  one.Free(&state);

  ExportedInstance other(library);
  void* read = nullptr;
  ASSERT_EQ(other.Deserialise(bytes, &read), 0);
  ASSERT_EQ(other.Restore(read), 0);
  EXPECT_EQ(StepOn(other, 7, 20), rows);
  other.Free(&read);
}

TEST_P(ExportedStateTest, AStateFromBeforeTheStartHasNoRun) {
  ExportedInstance one(LibraryOf(kBall, Method::kAuto));
  one.Set("e", 0.5);
  void* state = nullptr;
  one.Save(&state);
  one.Start();
  const auto rows = StepOn(one, 0, 10);
  ASSERT_EQ(one.Restore(state), 0);
  one.Start();
  EXPECT_EQ(StepOn(one, 0, 10), rows);
  one.Free(&state);
}

TEST_P(ExportedStateTest, AStateIsOverwrittenInItsPlace) {
  ExportedInstance one(LibraryOf(kBall, Method::kAuto));
  one.Start();
  void* state = nullptr;
  one.Save(&state);
  StepOn(one, 0, 4);
  void* const place = state;
  one.Save(&state);
  EXPECT_EQ(state, place);
  const std::vector<double> here = one.Values();
  StepOn(one, 4, 6);
  ASSERT_EQ(one.Restore(state), 0);
  EXPECT_EQ(one.Values(), here);
  one.Free(&state);
}

TEST_P(ExportedStateTest, DamagedBytesAndThoseOfOthersAreRefused) {
  ExportedInstance one(LibraryOf(kBall, Method::kAuto));
  one.Start();
  void* state = nullptr;
  one.Save(&state);
  std::string bytes = one.Serialised(state);
  bytes[bytes.size() / 2] ^= 1;
  void* read = nullptr;
  EXPECT_NE(one.Deserialise(bytes, &read), 0);
  EXPECT_NE(one.Deserialise("x", &read), 0);
  EXPECT_EQ(read, nullptr);

  ExportedInstance other(LibraryOf(kMixed, Method::kAuto));
  other.Start();
  EXPECT_NE(other.Restore(state), 0);
  EXPECT_NE(other.Restore(nullptr), 0);
  one.Free(&state);
}

// Masters count the communication points, or add up their steps.
TEST_P(ExportedStateTest, ATickAtTheEndOfAStepTakesPlaceInIt) {
  const auto library = LibraryOf(kTicks, Method::kAuto);
  ExportedInstance counted(library);
  ExportedInstance added(library);
  counted.Start();
  added.Start();
  double t = 0;
  for (int i = 0; i < 1000; ++i) {
    counted.Step(i * 0.05, 0.05);
    added.Step(t, 0.05);
    t += 0.05;
    const double ticks = 1 + (i + 1) / 2;
    ASSERT_EQ(counted.Values().back(), ticks) << i;
    ASSERT_EQ(added.Values().back(), ticks) << i;
  }
}

// `Step` asks for the time that is reached.
TEST_P(ExportedStateTest, AStepEndsWhereTheMasterSaysSo) {
  ExportedInstance one(LibraryOf(kTicks, Method::kAuto));
  one.Start();
  double t = 0;
  for (const double step : {20000.0 / 3, 1.0 / 3, 0.1, 1.0 / 7}) {
    one.Step(t, step);
    t += step;
  }
}

TEST_P(ExportedStateTest, WhatCannotBeSetIsRefusedAtOnce) {
  constexpr int kError = 3;
  const auto library = LibraryOf(kBall, Method::kAuto);
  ExportedInstance one(library);
  ExportedInstance other(library);
  one.Set("h", 2);
  EXPECT_EQ(one.TrySet("e", std::nan("")), kError);
  EXPECT_EQ(one.TrySet("speed", 1), kError);
  EXPECT_EQ(one.TrySet("rest", 2), kError);
  one.Start();
  EXPECT_EQ(one.TrySet("h", 3), kError);
  EXPECT_EQ(one.TrySet("speed", 1), kError);
  EXPECT_EQ(one.TrySet("wind", std::nan("")), kError);
  other.Set("h", 2);
  other.Start();
  EXPECT_EQ(StepOn(one, 0, 5), StepOn(other, 0, 5));
}

TEST_P(ExportedStateTest, InstancesOnThreadsKeepTheirStatesApart) {
  const auto library = LibraryOf(kBall, Method::kAuto);
  std::vector<std::thread> threads;
  std::vector<int> same(4);
  for (std::size_t i = 0; i < same.size(); ++i) {
    threads.emplace_back([&, i] {
      ExportedInstance one(library);
      one.Set("e", 0.65 + 0.05 * static_cast<double>(i));
      one.Start();
      StepOn(one, 0, 5);
      void* state = nullptr;
      one.Save(&state);
      const auto rows = StepOn(one, 5, 15);
      same[i] = one.Restore(state) == 0 && StepOn(one, 5, 15) == rows ? 1 : 0;
      one.Free(&state);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_THAT(same, testing::Each(1));
}

}  // namespace
}  // namespace orrery::fmi
