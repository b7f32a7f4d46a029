// C functions, as formulas call them.

#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/modelica/external/foreign_function.h"
#include "orrery/modelica/test/dump.h"

namespace orrery::modelica::internal {
namespace {

using Type = ForeignFunction::Type;

// The function's outputs for these inputs.
std::vector<double> Called(ForeignFunction function,
                           const std::vector<double>& inputs) {
  const auto opaque = ToOpaque(std::move(function));
  EXPECT_EQ(opaque->num_inputs, inputs.size());
  std::vector<double> outputs(opaque->num_outputs);
  opaque->evaluate(inputs, outputs);
  return outputs;
}

template <typename F>
void* CodeOf(F* function) {
  return reinterpret_cast<void*>(function);
}

double Combined(double x, int n, std::size_t size, const char* text) {
  return x + 10 * n + 100 * static_cast<double>(size) + 1000 * (text[0] - 'a');
}

TEST(ExternalTest, GivesNumbersIntsSizesAndTexts) {
  EXPECT_EQ(Called({.name = "combined",
                    .code = CodeOf(&Combined),
                    .arguments = {{.type = Type::kReal},
                                  {.type = Type::kInteger},
                                  {.type = Type::kSize},
                                  {.type = Type::kText, .text = "c"}},
                    .result = Type::kReal},
                   {0.5, -2, 3}),
            std::vector<double>{0.5 - 20 + 300 + 2000});
}

int Doubled(const int* from, double* reals, int* to) {
  reals[1] += from[0];
  to[0] = 2 * from[1];
  return -7;
}

TEST(ExternalTest, TakesArraysThatTheFunctionWritesToAndWhatItReturns) {
  EXPECT_EQ(
      Called({.name = "doubled",
              .code = CodeOf(&Doubled),
              .arguments =
                  {{.type = Type::kInteger, .is_address = true, .count = 2},
                   {.is_address = true, .count = 2, .is_result = true},
                   {.type = Type::kInteger,
                    .is_address = true,
                    .is_given = false,
                    .is_result = true}},
              .result = Type::kInteger},
             {3, 4, 0.25, 0.5}),
      (std::vector<double>{0.25, 3.5, 8, -7}));
}

int calls = 0;

void Count() {
  ++calls;
}

TEST(ExternalTest, GivesOneWhereTheFunctionGivesNothing) {
  calls = 0;
  EXPECT_EQ(Called({.name = "count",
                    .code = CodeOf(&Count),
                    .arguments = {},
                    .result = {}},
                   {}),
            std::vector<double>{1});
  EXPECT_EQ(calls, 1);
}

TEST(ExternalTest, RefusesNumbersThatNoIntHolds) {
  const ForeignFunction doubled{
      .name = "abs",
      .code = CodeOf(static_cast<int (*)(int)>(&std::abs)),
      .arguments = {{.type = Type::kInteger}},
      .result = Type::kInteger};
  EXPECT_EQ(Called(doubled, {-2147483647}), std::vector<double>{2147483647});
  for (const double number :
       {2147483648.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(Called(doubled, {number}), std::runtime_error) << number;
  }
}

TEST(ExternalTest, DecidesSizesOfAModel) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  function cbrt\n"
                   "    input Real x;\n"
                   "    output Real y;\n"
                   "    external \"C\";\n"
                   "  end cbrt;\n"
                   "  constant Integer n = integer(cbrt(8) + 0.5);\n"
                   "  Real x[n] = fill(1.5, n);\n"
                   "end A;\n"),
            "constant Integer n = integer(floor(A.cbrt(8) + 0.5))\n"
            "Real x[2]\n"
            "x = {1.5 for i1 in 1:2}\n");
}

TEST(ExternalTest, ItsTextMayNameFunctionsThatAreNowhere) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  function half\n"
                   "    input Real x;\n"
                   "    output Real y;\n"
                   "    external \"C\" y = half(x) annotation(Include = \"\n"
                   "      void orrery_nowhere(void);\n"
                   "      double half(double x) {\n"
                   "        if (x < 0) orrery_nowhere();\n"
                   "        return x/2;\n"
                   "      }\");\n"
                   "  end half;\n"
                   "  constant Integer n = integer(half(6) + 0.5);\n"
                   "  Real x[n] = fill(1.5, n);\n"
                   "end A;\n"),
            "constant Integer n = integer(floor(A.half(6) + 0.5))\n"
            "Real x[3]\n"
            "x = {1.5 for i1 in 1:3}\n");
}

TEST(ExternalTest, IsRefusedWhereTheEnvironmentSaysSo) {
  setenv("ORRERY_EXTERNAL", "off", 1);
  const std::string errors = ErrorsOf(
      "model A\n"
      "  function f\n"
      "    input Real x;\n"
      "    output Real y;\n"
      "    external \"C\" y = sqrt(x);\n"
      "  end f;\n"
      "  Real y = f(time);\n"
      "end A;\n");
  unsetenv("ORRERY_EXTERNAL");
  EXPECT_EQ(errors,
            "a.mo:5:5: error: cannot call the external function 'sqrt': code "
            "of models is not run where the environment variable "
            "ORRERY_EXTERNAL is 'off', nor by a worker without --plugins\n"
            "    5 |     external \"C\" y = sqrt(x);\n"
            "      |     ^~~~~~~~~~~~~~~~~~~~~~~~\n");
}

}  // namespace
}  // namespace orrery::modelica::internal
