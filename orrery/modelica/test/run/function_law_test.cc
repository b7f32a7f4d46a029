// Functions of Modelica give the same when the front end evaluates them and in
// a run, by their compiled statements.

#include <cmath>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/numbers/random.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

// Writes statements at random: of Reals a, b, s, an Integer n and v[3].
class StatementWriter {
 public:
  explicit StatementWriter(std::uint64_t seed) : random_(seed, "statements") {}

  std::string Write(int count, int depth) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      text += Statement(depth);
    }
    return text;
  }

 private:
  int Below(int end) { return static_cast<int>(random_.Uniform01() * end); }

  std::string Real() {
    static const std::string names[] = {"a", "b", "s", "x"};
    switch (Below(6)) {
      case 0:
        return Whole();
      case 1:
        return "v[" + Subscript() + "]";
      case 2:
        return "(" + std::to_string(Below(9) - 4) + "/4)";
      default:
        return names[Below(4)];
    }
  }

  // A loop's variable, as often as there is one.
  std::string Whole() {
    return loops_ > 0 && Below(3) > 0 ? "k" + std::to_string(1 + Below(loops_))
                                      : "n";
  }

  std::string Subscript() {
    return Below(2) == 0 ? std::to_string(1 + Below(3))
                         : "1 + mod(" + Whole() + ", 3)";
  }

  // Never far from 1.
  std::string Formula() {
    switch (Below(5)) {
      case 0:
        return Real();
      case 1:
        return "sin(" + Real() + " + " + Real() + ")";
      case 2:
        return "(if " + Condition() + " then " + Real() + " else " + Real() +
               ")/2";
      case 3:
        return "min(" + Real() + ", 2)*" + "cos(" + Real() + ")";
      default:
        return "(" + Real() + " - " + Real() + ")/2";
    }
  }

  std::string Condition() {
    return Real() + (Below(2) == 0 ? " < " : " >= ") + Real();
  }

  std::string Statement(int depth) {
    static const std::string reals[] = {"a", "b", "s"};
    switch (Below(depth > 0 ? 9 : 5)) {
      case 0:
        return "n := " + Whole() + ";\n";
      case 1:
        return reals[Below(3)] + " := " + Whole() + ";\n";
      case 2:
        return "v[" + Subscript() + "] := " + Formula() + ";\n";
      case 3:
      case 4:
        return reals[Below(3)] + " := " + Formula() + ";\n";
      case 5:
        return "if " + Condition() + " then\n" + Write(2, depth - 1) +
               "else\n" + Write(1, depth - 1) + "end if;\n";
      case 6:
        return While(depth);
      default:
        return For(depth);
    }
  }

  std::string For(int depth) {
    const std::string name = "k" + std::to_string(++loops_);
    const std::string range = std::to_string(Below(3) - 1) + ":" +
                              std::to_string(1 + Below(2)) + ":" +
                              std::to_string(1 + Below(4));
    const std::string body =
        Write(2, depth - 1) + Leave() + Write(1, depth - 1);
    --loops_;
    return "for " + name + " in " + range + " loop\n" + body + "end for;\n";
  }

  // Counts by a variable that nothing else sets.
  std::string While(int depth) {
    const std::string passes = "p" + std::to_string(++whiles_);
    counters_ += "Integer " + passes + ";\n";
    return passes + " := 0;\nwhile " + passes + " < " +
           std::to_string(1 + Below(4)) + " loop\n" + passes + " := " + passes +
           " + 1;\n" + Write(2, depth - 1) + Leave() + "end while;\n";
  }

  std::string Leave() {
    return Below(3) == 0 ? "if " + Condition() + " then break; end if;\n" : "";
  }

 public:
  [[nodiscard]] const std::string& counters() const { return counters_; }

 private:
  RandomStream random_;
  std::string counters_;
  int loops_ = 0;
  int whiles_ = 0;
};

RC_GTEST_PROP(FunctionLawTest,
              GiveTheSameWhileAModelIsCompiledAndInItsRun,
              (std::uint64_t seed)) {
  StatementWriter writer(seed);
  const std::string body = writer.Write(5, 3);
  const std::string text =
      "model M\n"
      "function f\n"
      "input Real x; output Real y;\n"
      "protected Real a, b, s, v[3]; Integer n;\n" +
      writer.counters() +
      "algorithm\n"
      "s := 0; a := x; b := 1; n := 0; v := {1, x, -1};\n" +
      body +
      "y := s + a/2 + b/4 + n/8 + v[1]/16 + v[2]/32 + v[3]/64;\n"
      "end f;\n"
      "parameter Integer size = 1 + mod(integer(1e6*f(0.625)), 97);\n"
      "Real sized[size] = zeros(size);\n"
      "Real found = f(0.625 + time);\n"
      "end M;\n";
  const auto program = CompileText(text);
  const RunResult run = Simulate(program, {.stop = 1e-9});
  const double found = std::floor(1e6 * run["found"][0]);
  const auto size =
      static_cast<std::int64_t>(found - 97 * std::floor(found / 97)) + 1;
  if (!run.summary.completed() ||
      !run.trajectory.Contains("sized[" + std::to_string(size) + "]") ||
      run.trajectory.Contains("sized[" + std::to_string(size + 1) + "]")) {
    RC_FAIL(run.summary.message + "\n" + text);
  }
}

}  // namespace
}  // namespace orrery
