// Systems of parts with common quantities, whose native code is made together.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/codegen/test/native_program.h"

namespace orrery {
namespace {

// Parts with common quantities, steady or moving, are computed in vectors.
TEST(NativeTaylorTest, HasTheBitsOfTheInterpreterForAnyNumberOfParts) {
  for (int parts = 1; parts <= 20; ++parts) {
    const auto program =
        ProgramOf("parameter Integer n = " + std::to_string(parts) + R"(;
          parameter Real k = 2, c[n] = {1 + 0.1*i for i in 1:n};
          Real x[n](start = {0.1*i for i in 1:n}), v[n], q(start = 1);
        equation
          der(q) = -q*x[1];
          for i in 1:n loop
            der(x[i]) = v[i] - 0.1*x[i]/k;
            der(v[i]) = -k*x[i] + q*(c[i] - v[i])/(3 + q*q) + 0.1*x[i]/(2 + c[i])
              - 0.2*x[i]*x[n] + q*sin(x[i]) + 0.1*sqrt(2 + cos(q*v[i]));
          end for;)");
    SimulationOptions options{.stop = 2.0,
                              .method = Method::kTaylor,
                              .interval = 0.25,
                              .code = CodeChoice::kInterpreted};
    options.tolerance = 1e-9;
    const RunResult interpreted = Simulate(program, options);
    options.code = CodeChoice::kNative;
    EXPECT_TRUE(interpreted.summary.completed());
    EXPECT_EQ(BitsOf(Simulate(program, options)), BitsOf(interpreted)) << parts;
  }
}

// A formula of part `i` of n that is smooth for all numbers.
std::string Formula(int depth) {
  const auto any = [](const std::vector<std::string>& all) {
    return *rc::gen::elementOf(all);
  };
  if (depth == 0) {
    return any({"x[i]", "v[i]", "x[1]", "v[n]", "q", "k", "c[i]", "time", "2"});
  }
  const std::string a = Formula(depth - 1);
  const std::string b = Formula(*rc::gen::inRange(0, depth));
  return "(" +
         any({a + " + " + b,
              a + " - " + b,
              "-" + a,
              a + "*" + b,
              a + "/(2 + " + b + "^2)",
              a + "/k",
              "sin(" + a + ")",
              "tanh(" + a + ")",
              "exp(-" + a + "^2)",
              "sqrt(1 + " + a + "^2)",
              "(1 + " + a + "^2)^0.3",
              "atan(" + a + ")",
              "log(2 + " + a + "^2)"}) +
         ")";
}

std::string RandomSystem() {
  const int parts = *rc::gen::inRange(1, 20);
  return "parameter Integer n = " + std::to_string(parts) + R"(;
      parameter Real k = 2, c[n] = {1 + 0.1*i for i in 1:n};
      Real x[n](start = {0.1*i for i in 1:n}), v[n], q(start = 1);
    equation
      der(q) = -q*x[1]/(1 + x[1]^2);
      for i in 1:n loop
        der(x[i]) = v[i] - k*x[i];
        der(v[i]) = cos()" +
         Formula(*rc::gen::inRange(0, 4)) + ") - 0.1*v[i];\n end for;";
}

RC_GTEST_PROP(NativeSystemTest, RandomSystemsHaveTheBitsOfTheInterpreter, ()) {
  const std::string model = RandomSystem();
  RC_LOG() << model;
  const std::shared_ptr<Program> program = ProgramOf(model);
  const Method method = *rc::gen::element(Method::kTaylor,
                                          Method::kRungeKutta4,
                                          Method::kDormandPrince5,
                                          Method::kDormandPrince8);
  SimulationOptions options{.stop = 0.5,
                            .method = method,
                            .interval = 0.25,
                            .code = CodeChoice::kInterpreted};
  options.settings = {{.name = "k", .value = 1.5}};
  if (method == Method::kRungeKutta4) {
    options.step = 0.0625;
  }
  const std::uint64_t bits = BitsOf(Simulate(program, options));
  options.code = CodeChoice::kNative;
  RC_ASSERT(BitsOf(Simulate(program, options)) == bits);
  RC_ASSERT(CountRuns(program, options, 5, [bits](const RunResult& run) {
              return BitsOf(run) == bits;
            }) == 5);
}

}  // namespace
}  // namespace orrery
