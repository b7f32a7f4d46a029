// Random numbers of Modelica.Math.Random: the results are those of C functions
// for the Modelica Standard Library.

#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/test/after_a_second.h"

namespace orrery {
namespace {

// The number after three calls from a state.
double AfterThree(const std::string& generator,
                  const std::string& state,
                  const std::string& wanted) {
  return AfterASecond("x",
                      "  package G = Modelica.Math.Random.Generators." +
                          generator + ";\n" + R"(
  function third
    input Integer state[G.nState];
    output Real r[3];
  protected
    Integer at[G.nState] = state;
  algorithm
    for i in 1:3 loop
      (r[i], at) := G.random(at);
    end for;
  end third;
  parameter Integer state[G.nState] = )" +
                          state + R"(;
  Real r[3] = third(state);
  Real x = )" + wanted + ";\n");
}

double Fraction(std::uint64_t bits) {
  return std::ldexp(static_cast<double>(static_cast<std::int64_t>(bits)), -64) +
         0.5;
}

TEST(RandomTest, Xorshift64starGivesItsNumbers) {
  std::uint64_t x = (std::uint64_t{0xFFFFFFFD} << 32U) | 126247697U;
  for (int i = 0; i < 3; ++i) {
    x ^= x >> 12U;
    x ^= x << 25U;
    x ^= x >> 27U;
    x *= 2685821657736338717U;
  }
  EXPECT_EQ(AfterThree("Xorshift64star", "{126247697, -3}", "r[3]"),
            Fraction(x));
}

TEST(RandomTest, Xorshift128plusGivesItsNumbers) {
  std::uint64_t a = (std::uint64_t{2} << 32U) | 1U;
  std::uint64_t b = (std::uint64_t{4000} << 32U) | 0xFFFFFFFFU;
  for (int i = 0; i < 3; ++i) {
    std::uint64_t s = a;
    a = b;
    s ^= s << 23U;
    b = (s ^ a ^ (s >> 17U) ^ (a >> 26U)) + a;
  }
  EXPECT_EQ(AfterThree("Xorshift128plus", "{1, 2, -1, 4000}", "r[3]"),
            Fraction(b));
}

TEST(RandomTest, Xorshift1024starGivesItsNumbers) {
  // The state holds the numbers from 1 to 32; the generator is behind the last
  // one.
  std::uint64_t s[16] = {};
  for (std::uint64_t i = 0; i < 16; ++i) {
    s[i] = ((2 * i + 2) << 32U) | (2 * i + 1);
  }
  std::size_t p = 15;
  std::uint64_t x = 0;
  for (int i = 0; i < 3; ++i) {
    std::uint64_t a = s[p];
    p = (p + 1) % 16;
    std::uint64_t b = s[p];
    b ^= b << 31U;
    b ^= b >> 11U;
    a ^= a >> 30U;
    s[p] = a ^ b;
    x = s[p] * 1181783497276652981U;
  }
  EXPECT_EQ(AfterThree("Xorshift1024star", "cat(1, 1:32, {15})", "r[3]"),
            Fraction(x));
}

// Numbers with a hidden state, from the C functions of the Modelica Standard
// Library for this seed. The first one is also that of its reference result for
// Modelica.Blocks.Examples.Noise.ImpureGenerator.
constexpr std::array kImpure = {0.018660680846204425,
                                0.18502447944342726,
                                0.34165798899941757,
                                0.71708009780134219};

// A model that draws a number at the start and at each of its samples.
std::string Drawing(const std::string& drawn) {
  return R"(
  import Modelica.Math.Random.Utilities.*;
  parameter Integer id(fixed = false);
  discrete Real a, b;
initial equation
  id = initializeImpureRandom(67867967);
equation
  when {initial(), sample(0.25, 0.5)} then
    )" + drawn +
         ";\n  end when;\n";
}

TEST(RandomTest, ImpureNumbersAreDrawnOnceAnEvent) {
  const RunResult run = Simulate(
      CompileBody(Drawing("a = impureRandom(id); b = 0")), {.stop = 1});
  EXPECT_EQ(run["a"].values().front(), kImpure[0]);
  EXPECT_EQ(run["a"].final(), kImpure[2]);
}

TEST(RandomTest, EachRunDrawsTheSameImpureNumbers) {
  const auto program = CompileBody(Drawing("a = impureRandom(id); b = 0"));
  const double first = Simulate(program, {.stop = 1})["a"].final();
  EXPECT_EQ(Simulate(program, {.stop = 1})["a"].final(), first);
}

TEST(RandomTest, TwoCallsWithOneArgumentDrawTwoNumbers) {
  const RunResult run = Simulate(
      CompileBody(Drawing("a = impureRandom(id); b = impureRandom(id)")),
      {.stop = 0.1});
  EXPECT_THAT((std::array{run["a"].final(), run["b"].final()}),
              testing::UnorderedElementsAre(kImpure[0], kImpure[1]));
}

TEST(RandomTest, AnImpureIntegerLiesInItsRange) {
  const RunResult run = Simulate(
      CompileBody(Drawing("a = impureRandomInteger(id, 10, 19); b = 0")),
      {.stop = 1});
  EXPECT_EQ(run["a"].final(), 10 + std::floor(10 * kImpure[2]));
}

}  // namespace
}  // namespace orrery
