#include "orrery/program/serial.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/program/serial_content.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

using testing::HasSubstr;

std::shared_ptr<const Program> Example(const std::string& name) {
  const auto file =
      SourceFile::Read(ORRERY_SOURCE_DIR "/examples/" + name + ".mo");
  return CompileText(std::string(file->text()));
}

std::vector<std::uint64_t> BitsOf(const RunResult& run) {
  std::vector<std::uint64_t> bits;
  for (const double t : run.trajectory.time()) {
    bits.push_back(std::bit_cast<std::uint64_t>(t));
  }
  for (const SignalInfo& info : run.trajectory.signals()) {
    for (const double value : run.trajectory[info.name].values()) {
      bits.push_back(std::bit_cast<std::uint64_t>(value));
    }
  }
  return bits;
}

class SerialExampleTest : public testing::TestWithParam<const char*> {};

TEST_P(SerialExampleTest, ARestoredProgramRunsToTheSameBits) {
  const auto program = Example(GetParam());
  const auto restored = ProgramFromBytes(BytesOf(*program));
  const SimulationOptions options = {.sliding = true,
                                     .code = CodeChoice::kInterpreted};
  const RunResult before = Simulate(program, options);
  const RunResult after = Simulate(restored, options);

  EXPECT_TRUE(before.summary.completed()) << before.summary.message;
  EXPECT_GT(before.trajectory.time().size(), 2U);
  EXPECT_EQ(BitsOf(before), BitsOf(after));
  EXPECT_EQ(before.summary.steps, after.summary.steps);
  EXPECT_EQ(before.summary.events, after.summary.events);
}

TEST_P(SerialExampleTest, ARestoredProgramHasTheSameBytes) {
  const std::string bytes = BytesOf(*Example(GetParam()));
  EXPECT_TRUE(bytes == BytesOf(*ProgramFromBytes(bytes)));
}

INSTANTIATE_TEST_SUITE_P(
    Examples,
    SerialExampleTest,
    testing::Values("bouncing_ball/bouncing_ball",
                    "car_axis/car_axis",
                    "circle/circle",
                    "diode_clipper/diode_clipper",
                    "double_pendulum/double_pendulum",
                    "iir_filter/iir_filter",
                    "lorenz/lorenz",
                    "planet_orbit/planet_orbit",
                    "stick_slip/stick_slip",
                    "thermostat/thermostat",
                    "transistor_amplifier/transistor_amplifier",
                    "water_tank/water_tank"));

TEST(SerialTest, KeepsDelaysFunctionsAndEnumerations) {
  const auto program = CompileText(R"(
model A
  type Mode = enumeration(Slow, Fast);
  function Half
    input Real u;
    output Real y;
    output Real z;
  algorithm
    y := u;
    for i in 1:3 loop
      y := y / 2;
    end for;
    z := -y;
  end Half;
  parameter Real c[Mode] = {1, 3};
  Mode mode(start = Mode.Slow, fixed = true);
  Real x(start = 1, fixed = true);
  Real y;
  Real z;
equation
  der(x) = -c[mode] * delay(x, 0.25);
  (y, z) = Half(x);
  when x < 0.5 then
    mode = Mode.Fast;
  end when;
end A;
)");
  const auto restored = ProgramFromBytes(BytesOf(*program));
  const SimulationOptions options = {.stop = Seconds(2),
                                     .code = CodeChoice::kInterpreted};
  const RunResult run = Simulate(restored, options);
  EXPECT_EQ(BitsOf(run), BitsOf(Simulate(program, options)));
  EXPECT_EQ(run["mode"].final(), 2);
  EXPECT_EQ(run["c[Mode.Fast]"].final(), 3);
  EXPECT_EQ(run["y"].final(), run["x"].final() / 8);
}

TEST(SerialTest, ExplainsAFailureByTheSameFormulas) {
  const auto program = CompileText(
      "model Root Real x(start = 1, fixed = true); Real y; equation "
      "der(x) = -1; y = 3 + sqrt(x); end Root;");
  const SimulationOptions options = {.stop = Seconds(2)};
  const std::string message =
      Simulate(ProgramFromBytes(BytesOf(*program)), options).summary.message;
  EXPECT_THAT(message, HasSubstr("sqrt(x)"));
  EXPECT_EQ(message, Simulate(program, options).summary.message);
}

TEST(SerialTest, KeepsNoTextOfTheModel) {
  const auto program = CompileText(
      "model Quiet \"A secret's owner\" Real x(start = 1, fixed = true); "
      "equation der(x) = -x; /* SECRET */ end Quiet;");
  EXPECT_EQ(BytesOf(*program).find("SECRET"), std::string::npos);
}

TEST(SerialTest, RefusesBytesOfAnotherKind) {
  EXPECT_THAT(MessageOf([] { return ProgramFromBytes("PK and so on, 1234"); }),
              HasSubstr("cannot read a compiled model: it has more things than "
                        "bytes"));
  EXPECT_THAT(MessageOf([] { return ProgramFromBytes(""); }),
              HasSubstr("an end too early"));
}

TEST(SerialTest, RefusesBytesThatAreCutOff) {
  const std::string bytes = BytesOf(*Example("lorenz/lorenz"));
  for (const std::size_t size : {std::size_t{40}, bytes.size() - 1}) {
    EXPECT_THAT(
        MessageOf([&] { return ProgramFromBytes(bytes.substr(0, size)); }),
        HasSubstr("another checksum"));
  }
}

RC_GTEST_PROP(SerialTest, SurvivesDamageThatAChecksumDoesNotShow, ()) {
  static const std::string bytes =
      BytesOf(*Example("bouncing_ball/bouncing_ball"));
  constexpr std::size_t kHeader = 8 + 15 + 4 + 8;
  std::string content = bytes.substr(kHeader);
  const auto at = *rc::gen::inRange<std::size_t>(0, content.size());
  content[at] = *rc::gen::arbitrary<char>();
  ByteReader in(content);
  try {
    const auto program = program::internal::ReadContent(in);
    RC_ASSERT(program->tape->memory_size() == program->initial_memory.size());
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::kInvalidModel);
  }
}

}  // namespace
}  // namespace orrery
