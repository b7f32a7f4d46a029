// C functions, as formulas call them.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/modelica/external/foreign_code.h"
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

TEST(ExternalTest, ACallOfAFunctionThatIsNowhereIsAnError) {
  const ForeignCode code{.function = "orrery_calls_nowhere",
                         .include =
                             "void orrery_nowhere(void);\n"
                             "double orrery_calls_nowhere(double x) {\n"
                             "  orrery_nowhere();\n"
                             "  return x;\n"
                             "}\n"};
  try {
    Called({.name = "calls",
            .code = FindCode(code),
            .arguments = {{.type = Type::kReal}},
            .result = Type::kReal},
           {1});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("it calls the function 'orrery_nowhere', "
                                   "which no library of its annotation has"));
  }
}

TEST(ExternalTest, DataThatIsNowhereIsRefusedAtOnce) {
  const ForeignCode code{.function = "orrery_reads_nowhere",
                         .include =
                             "extern double orrery_nowhere_data;\n"
                             "double orrery_reads_nowhere(double x) {\n"
                             "  return x*orrery_nowhere_data;\n"
                             "}\n"};
  EXPECT_THROW(std::ignore = FindCode(code), Error);
}

TEST(ExternalTest, SourcesThatALibraryBringsTakeThePlaceOfItsCompiledOnes) {
  namespace fs = std::filesystem;
  const fs::path resources = fs::path(testing::TempDir()) / "brings_sources";
  fs::remove_all(resources);
  fs::create_directories(resources / "C-Sources");
  std::ofstream(resources / "C-Sources/gains.h")
      << "double orrery_gain_of(double x);\n";
  std::ofstream(resources / "C-Sources/gains.c")
      << "#include \"gains.h\"\ndouble orrery_gain_of(double x) {"
         " return 2.5*x; }\n";
  const ForeignCode code{.function = "orrery_gain_of",
                         .libraries = {"OrreryGains"},
                         .library_folders = {(resources / "Library").string()},
                         .home = resources.string()};
  auto* const gain = reinterpret_cast<double (*)(double)>(FindCode(code));
  EXPECT_EQ(gain(3), 7.5);
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

const char* Joined(const char* const* texts, int count) {
  static std::string joined;
  joined.clear();
  for (int i = 0; i < count; ++i) {
    joined += texts[i];
  }
  return joined.c_str();
}

TEST(ExternalTest, TakesArraysOfTextsAndGivesATextBack) {
  const std::vector<double> outputs =
      Called({.name = "joined",
              .code = CodeOf(&Joined),
              .arguments = {{.type = Type::kText,
                             .is_address = true,
                             .texts = {"a long text", "", " and \xC3\xA4"}},
                            {.type = Type::kInteger}},
              .result = Type::kText},
             {3});
  EXPECT_EQ(TextIn(outputs), "a long text and \xC3\xA4");
}

void Halves(const char* text, const char** first, const char** second) {
  static std::string kept;
  kept = std::string(text).substr(0, 3);
  *first = kept.c_str();
  *second = text + 3;
}

TEST(ExternalTest, GivesSeveralTexts) {
  const std::size_t room = ForeignFunction::kTextOutputs;
  const ForeignFunction::Argument output{.type = Type::kText,
                                         .is_address = true,
                                         .count = room,
                                         .is_given = false,
                                         .is_result = true};
  const std::vector<double> outputs =
      Called({.name = "halves",
              .code = CodeOf(&Halves),
              .arguments = {{.type = Type::kText, .text = "abcdefgh"},
                            output,
                            output}},
             {});
  const std::span all(outputs);
  EXPECT_EQ(TextIn(all.first(room)), "abc");
  EXPECT_EQ(TextIn(all.subspan(room)), "defgh");
}

const char* LongText() {
  static const std::string text(4000, 'x');
  return text.c_str();
}

TEST(ExternalTest, SaysThatATextIsTooLong) {
  try {
    Called({.name = "long",
            .code = CodeOf(&LongText),
            .arguments = {},
            .result = Type::kText},
           {});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "it gives a String of 4000 characters; at most 3072 are "
                 "possible");
  }
}

TEST(ExternalTest, ATextOfAFunctionIsKnownToTheModel) {
  EXPECT_EQ(
      DumpOf("model A\n"
             "  function twice\n"
             "    input String text;\n"
             "    output String result;\n"
             "    external \"C\" result = twice(text) annotation(Include = \"\n"
             "      #include <string.h>\n"
             "      static const char* twice(const char* t) {\n"
             "        static char both[99]; strcpy(both, t);\n"
             "        return strcat(both, t); }\");\n"
             "  end twice;\n"
             "  Real x = if twice(\"ab\") == \"abab\" then 1 else 2;\n"
             "end A;\n"),
      "Real x\nx = 1\n");
}

}  // namespace
}  // namespace orrery::modelica::internal
