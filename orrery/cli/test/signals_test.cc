#include <sys/types.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::HasSubstr;
using testing::StartsWith;

// Commands end within 0.2 s on a machine that has nothing else to do.
constexpr milliseconds kBound(2000);

// A function of straight code: a compiler takes far longer than the
// interpreter.
std::string LongFunction(int statements) {
  std::string text =
      "model Long\n"
      "  function f\n"
      "    input Real x;\n"
      "    output Real y;\n"
      "  protected\n"
      "    Real a;\n"
      "    Real b;\n"
      "  algorithm\n"
      "    a := x;\n"
      "    b := 1;\n";
  for (int i = 0; i < statements; ++i) {
    text += fmt::format(
        "    a := a + sin(b*{})*exp(-a*a);\n"
        "    b := b + cos(a - {})/(1 + b*b);\n",
        1 + i,
        i);
  }
  return text +
         "    y := a + b;\n"
         "    annotation(Inline = false);\n"
         "  end f;\n"
         "  Real x(start = 1, fixed = true);\n"
         "equation\n"
         "  der(x) = -x + 1e-3*f(x);\n"
         "end Long;\n";
}

// No x has these squares, so that the search takes long.
std::string LoopWithoutSolution(int unknowns) {
  return fmt::format(
      "model Unsolved\n"
      "  constant Integer n = {};\n"
      "  Real x[n](each start = 1);\n"
      "equation\n"
      "  for i in 1:n loop\n"
      "    x[i]^2 + sum(x[j]*x[i]/(i + j) for j in 1:n) = -1;\n"
      "  end for;\n"
      "end Unsolved;\n",
      unknowns);
}

class CliSignalTest : public CliTest {
 protected:
  struct End {
    Outcome outcome;
    milliseconds took{};
    int signal = 0;  // The signal that killed it; 0: none.
  };

  // Lets a command run for a while and sends it a signal.
  [[nodiscard]] End Signalled(const std::vector<std::string>& words,
                              milliseconds after,
                              int signal) const {
    const pid_t child = Start(words, "out");
    std::this_thread::sleep_for(after);
    const auto begin = steady_clock::now();
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    return {
        .outcome = {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                    .out = ReadAll(folder_ + "/out"),
                    .err = ReadAll(folder_ + "/err")},
        .took = std::chrono::duration_cast<milliseconds>(steady_clock::now() -
                                                         begin),
        .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
  }
};

TEST_F(CliSignalTest, EndsARunWhoseCodeIsBeingCompiled) {
  Write("long.mo", LongFunction(4000));
  const End end = Signalled({"run",
                             "long.mo",
                             "--no-save",
                             "--code",
                             "native",
                             "--stop",
                             "1e6",
                             "--output",
                             "rows.csv"},
                            milliseconds(3000),
                            SIGTERM);
  EXPECT_LT(end.took, kBound);
  EXPECT_EQ(end.outcome.exit_code, 1) << end.outcome.err;
  EXPECT_THAT(end.outcome.err, HasSubstr("interrupted at t = "));
  EXPECT_THAT(ReadAll(folder_ + "/rows.csv"), StartsWith("time,"));
}

TEST_F(CliSignalTest, AShortRunDoesNotWaitForTheCompiler) {
  Write("long.mo", LongFunction(4000));
  const auto time = [&](const std::string& code) {
    const auto begin = steady_clock::now();
    const Outcome outcome = Finish(Start({"run",
                                          "long.mo",
                                          "--no-save",
                                          "--code",
                                          code,
                                          "--stop",
                                          "30",
                                          "--solver",
                                          "rk4",
                                          "--step",
                                          "0.01",
                                          "--json"},
                                         "out"));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return steady_clock::now() - begin;
  };
  EXPECT_LT(time("auto"), 3 * time("interpreted"));
}

// It lasts some three times as long as the translation, which is measured: a
// machine that is busy is slow at both.
TEST_F(CliSignalTest, EndsTheSearchForStartValues) {
  Write("unsolved.mo", LoopWithoutSolution(600));
  const auto begin = steady_clock::now();
  ASSERT_EQ(Orrery({"check", "unsolved.mo"}).exit_code, 0);
  const auto translation =
      std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin);
  for (const int signal : {SIGINT, SIGTERM}) {
    const End end = Signalled(
        {"run", "unsolved.mo", "--store", "s.db"}, 2 * translation, signal);
    EXPECT_LT(end.took, kBound);
    EXPECT_EQ(end.outcome.exit_code, 1) << end.outcome.err;
    EXPECT_THAT(end.outcome.err, HasSubstr("interrupted at t = 0 s"));
  }
}

TEST_F(CliSignalTest, EndsTheTranslationOfALargeModel) {
  Write("long.mo", LongFunction(60'000));
  const End end =
      Signalled({"run", "long.mo", "--no-save"}, milliseconds(300), SIGTERM);
  EXPECT_LT(end.took, kBound);
  EXPECT_TRUE(end.signal == SIGTERM || end.outcome.exit_code == 1);
}

// The rows until the signal are in the file, at any time of the signal.
TEST_F(CliSignalTest, EndsStiffStepsOfALargeModelAtAnyMoment) {
  Write("stiff.mo",
        "model Stiff\n"
        "  constant Integer n = 400;\n"
        "  Real x[n](each start = 1, each fixed = true);\n"
        "equation\n"
        "  for i in 1:n loop\n"
        "    der(x[i]) = 1e3*(sum(sin(x[j] - i) for j in 1:n)/n - x[i]^3);\n"
        "  end for;\n"
        "end Stiff;\n");
  for (const int after : {1500, 2300, 3100}) {
    const End end = Signalled({"run",
                               "stiff.mo",
                               "--no-save",
                               "--stop",
                               "1e9",
                               "--interval",
                               "1e8",
                               "--solver",
                               "rodas",
                               "--output",
                               "rows.csv"},
                              milliseconds(after),
                              SIGTERM);
    EXPECT_LT(end.took, kBound);
    EXPECT_TRUE(end.signal == SIGTERM ||
                (end.outcome.exit_code == 1 &&
                 ReadAll(folder_ + "/rows.csv").starts_with("time,")))
        << end.outcome.err;
  }
}

TEST_F(CliSignalTest, EndsSearchesAndSweepsInTheMidstOfRuns) {
  Write("long.mo", LongFunction(300));
  const std::vector<std::vector<std::string>> commands = {
      {"sweep", "long.mo", "--vary", "x=1:0.001:50", "--keep", "final(x)"},
      {"optimize", "long.mo", "--vary", "x=[0,5]", "--minimize", "final(x)"},
      {"sensitivity",
       "long.mo",
       "--vary",
       "x=uniform(0,5)",
       "--keep",
       "final(x)"}};
  for (std::vector<std::string> words : commands) {
    words.insert(words.end(),
                 {"--stop", "1e5", "--solver", "rk4", "--step", "0.01"});
    words.insert(words.end(), {"--store", "s.db"});
    const End end = Signalled(words, milliseconds(2000), SIGTERM);
    EXPECT_LT(end.took, kBound) << words[0];
    EXPECT_EQ(end.outcome.exit_code, 1) << words[0] << end.outcome.err;
    EXPECT_THAT(
        end.outcome.err + end.outcome.out,
        HasSubstr(words[0] == "optimize" ? "interrupted" : "not carried out"))
        << words[0];
  }
}

}  // namespace
}  // namespace orrery::cli
