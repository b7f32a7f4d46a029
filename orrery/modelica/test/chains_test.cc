#include <pthread.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/source_file.h"
#include "orrery/modelica/load.h"

// Long chains of declarations end with a result or a message, whatever the
// stack.
namespace orrery::modelica {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kMiB = std::size_t{1024} * 1024;

// The findings in `text` on a thread with a stack of `bytes`, rendered.
std::string FindingsOn(std::size_t bytes, const std::string& text) {
  struct Work {
    const std::string& text;
    std::string findings;
  } work{.text = text, .findings = {}};

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, bytes);
  const auto run = [](void* argument) -> void* {
    auto& given = *static_cast<Work*>(argument);
    Diagnostics diagnostics;
    const auto flat =
        Flatten(std::make_shared<const SourceFile>("a.mo", given.text),
                "A",
                diagnostics);
    EXPECT_EQ(flat.has_value(), !diagnostics.has_errors());
    given.findings = Render(diagnostics.list());
    return nullptr;
  };
  pthread_t thread{};
  EXPECT_EQ(pthread_create(&thread, &attributes, run, &work), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return work.findings;
}

// `item(i)` for i from `count` down to 1: each needs the one that follows it.
std::string Chain(int count, const std::function<std::string(int)>& item) {
  std::string text;
  for (int i = count; i > 0; --i) {
    text += item(i);
  }
  return text;
}

std::string N(int number) {
  return std::to_string(number);
}

// Models of chains of `count` declarations.
std::vector<std::string> Chains(int count) {
  const std::string last = N(count);
  return {
      "model A\n" +
          Chain(count,
                [](int i) {
                  return "constant Real c" + N(i) + " = c" + N(i - 1) +
                         " + 1;\n";
                }) +
          "constant Real c0 = 1;\nReal y = c" + last + ";\nend A;\n",
      "model A\n" +
          Chain(count,
                [](int i) {
                  return "final parameter Integer n" + N(i) + " = n" +
                         N(i - 1) + ";\n";
                }) +
          "final parameter Integer n0 = 2;\nReal y[n" + last +
          "] = {1, 2};\nend A;\n",
      "model A\n" +
          Chain(count,
                [](int i) {
                  return "parameter Boolean b" + N(i) + " = not b" + N(i - 1) +
                         ";\n";
                }) +
          "parameter Boolean b0 = true;\nReal y = time if b" + last +
          ";\nend A;\n",
      "model A\n" +
          Chain(count,
                [](int i) {
                  return "Real x" + N(i) + "[size(x" + N(i - 1) +
                         ", 1)] = x0;\n";
                }) +
          "Real x0[2] = {1, 2};\nend A;\n",
      "model A\n" +
          Chain(count,
                [](int i) {
                  return "type T" + N(i) + " = T" + N(i - 1) + ";\n";
                }) +
          "type T0 = Real;\nT" + last + " y = 1;\nend A;\n",
      Chain(count,
            [](int i) {
              return "function f" + N(i) +
                     " input Real x; output Real y; algorithm y := f" +
                     N(i - 1) + "(x) + 1; end f" + N(i) + ";\n";
            }) +
          "function f0 input Real x; output Real y; algorithm y := x; end f0;\n"
          "model A\nReal y = f" +
          last + "(time);\nend A;\n",
      Chain(count,
            [](int i) {
              return "package Q" + N(i) + " import Q" + N(i - 1) +
                     "; constant Real c = Q" + N(i - 1) + ".c + 1; end Q" +
                     N(i) + ";\n";
            }) +
          "package Q0 constant Real c = 1; end Q0;\nmodel A\nReal y = Q" +
          last + ".c;\nend A;\n"};
}

TEST(ChainsTest, OfThousandsOfDeclarationsAreFollowedOnADeepStack) {
  for (const std::string& text : Chains(3000)) {
    EXPECT_THAT(FindingsOn(1024 * kMiB, text), IsEmpty())
        << text.substr(0, 200);
  }
}

TEST(ChainsTest, ThatTheStackCannotHoldAreTold) {
  int num_told = 0;
  for (const std::string& text : Chains(3000)) {
    const std::string findings = FindingsOn(kMiB, text);
    num_told += findings.empty() ? 0 : 1;
    EXPECT_THAT(findings,
                testing::AnyOf(IsEmpty(), HasSubstr("nested too deeply")))
        << text.substr(0, 200);
  }
  EXPECT_GT(num_told, 4);
}

// Texts with `count` names that mean nothing, each near one that does.
std::vector<std::string> Misspelt(int count) {
  const auto model = [count](const std::function<std::string(int)>& item) {
    return "model Wheel Real turns = 1; end Wheel;\n"
           "function Double input Real u; output Real y; algorithm y := 2*u; "
           "end Double;\n"
           "type Gear = enumeration(first, second);\n"
           "model A\n  Real speed = time;\n  Wheel wheel;\n" +
           Chain(count, item) + "end A;\n";
  };
  return {model([](int i) { return "  Real x" + N(i) + " = sped;\n"; }),
          model([](int i) { return "  Real x" + N(i) + " = Duble(1);\n"; }),
          model([](int i) { return "  Weel x" + N(i) + ";\n"; }),
          model([](int i) { return "  Real x" + N(i) + " = wheel.turn;\n"; }),
          model([](int i) { return "  Wheel x" + N(i) + "(turn = 1);\n"; }),
          model([](int i) { return "  Gear x" + N(i) + " = Gear.frist;\n"; })};
}

TEST(ChainsTest, OfMisspeltNamesHaveAHintWithEachErrorThatIsShown) {
  for (const std::string& text : Misspelt(100)) {
    const std::string findings = FindingsOn(8 * kMiB, text);
    std::size_t num_hints = 0;
    for (std::size_t at = findings.find("did you mean");
         at != std::string::npos;
         at = findings.find("did you mean", at + 1)) {
      ++num_hints;
    }
    EXPECT_EQ(num_hints, Diagnostics::kMaxErrors) << findings.substr(0, 500);
  }
}

TEST(ChainsTest, OfTypesWithModificationsAreLimited) {
  const std::string text = "model A\n" +
                           Chain(2000,
                                 [](int i) {
                                   return "type T" + N(i) + " = T" + N(i - 1) +
                                          "(max = " + N(i) + ");\n";
                                 }) +
                           "type T0 = Real;\nT2000 y = 1;\nend A;\n";
  EXPECT_THAT(FindingsOn(1024 * kMiB, text),
              HasSubstr("is made from types with more than 1000 modifications "
                        "and sizes"));
}

TEST(ChainsTest, ThatDoubleWhatTheyInheritAreLimited) {
  const std::string text =
      Chain(40,
            [](int i) {
              return "model B" + N(i) + " extends B" + N(i - 1) +
                     "; extends B" + N(i - 1) + "; end B" + N(i) + ";\n";
            }) +
      "model B0 Real x = time; end B0;\nmodel A extends B40; end A;\n";
  EXPECT_THAT(FindingsOn(8 * kMiB, text),
              HasSubstr("inherits from more than 20000 classes in all"));
}

TEST(ChainsTest, OfTextsThatDoubleAreLimited) {
  const std::string text =
      "model A\n" +
      Chain(40,
            [](int i) {
              return "constant String s" + N(i) + " = s" + N(i - 1) + " + s" +
                     N(i - 1) + ";\n";
            }) +
      "constant String s0 = \"a\";\nparameter String t = s40;\n"
      "equation\nassert(time < 1, t);\nend A;\n";
  EXPECT_THAT(FindingsOn(8 * kMiB, text),
              HasSubstr("this text has 1048576 bytes; at most 1000000 are"));
}

}  // namespace
}  // namespace orrery::modelica
