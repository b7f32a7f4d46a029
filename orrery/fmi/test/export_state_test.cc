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
#include "orrery/fmi/test/exported_instance.h"
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
