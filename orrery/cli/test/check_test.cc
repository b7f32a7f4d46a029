// `orrery check` prints the structure of a model.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class CheckTest : public CliTest {
 protected:
  json Report(const std::string& model, bool with_dependencies = false) {
    Write("model.mo", model);
    std::vector<std::string> words = {"check", "model.mo", "--json"};
    if (with_dependencies) {
      words.emplace_back("--dependencies");
    }
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out);
  }
};

constexpr const char* kLinear =
    "model Linear\n  Real x, y, z;\nequation\n  x = y + 16;\n"
    "  y = -x - z;\n  z = 5;\nend Linear;\n";

TEST_F(CheckTest, LoopsAreListedWithMembersAndEquations) {
  const json loops = Report(
      "model Bent\n  Real a(start = 3), b, e;\nequation\n  a = b^2 + 3;\n"
      "  b = sin(e);\n  e = 0.01*a^2 + time;\nend Bent;\n")["loops"];
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_EQ(loops[0]["linear"], false);
  EXPECT_EQ(loops[0]["quantities"], 3);
  EXPECT_EQ(loops[0]["members"].size(), 3U);
  EXPECT_EQ(loops[0]["solved_for"].size(), 1U);
  EXPECT_EQ(loops[0]["equations"].size(), 3U);
}

TEST_F(CheckTest, DependenciesListLoopsThatAreSolvedByFormulas) {
  const json report = Report(kLinear, true);
  EXPECT_EQ(report["loops"], json::array());
  const json& found = report["dependencies"];
  EXPECT_EQ(found["loops"], json::parse("[[1, 2]]"));
  EXPECT_EQ(
      found["unknowns"][0],
      json::parse(R"({"names": ["z"], "equation": "z = 5", "needs": []})"));
  EXPECT_EQ(found["closure"], json::parse("[[], [0, 1, 2], [0, 1, 2]]"));
}

TEST_F(CheckTest, DependenciesAreAMatrixWithItsClosure) {
  Write("linear.mo", kLinear);
  const Outcome outcome = Orrery({"check", "linear.mo", "--dependencies"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out,
              HasSubstr("Dependency matrix, 1 where the unknown of the row "
                        "needs that of the column:\n"
                        "       1  2  3\n"
                        "    1  .  .  .\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("       1  2  3\n"
                        "    1  .  .  .\n"
                        "    2  1  1  1\n"
                        "    3  1  1  1\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nAlgebraic loop of 2, 3:\n"));
}

TEST_F(CheckTest, DependenciesOfManyUnknownsAreALineEach) {
  std::string text = "model Chain\n  Real x[40];\nequation\n  x[1] = time;\n";
  for (int i = 2; i <= 40; ++i) {
    const std::string index = std::to_string(i);
    text += "  x[" + index + "] = sin(x[" + std::to_string(i - 1) + "]) + 1;\n";
  }
  Write("chain.mo", text + "end Chain;\n");
  const Outcome outcome = Orrery({"check", "chain.mo", "--dependencies"});
  EXPECT_THAT(outcome.out, Not(HasSubstr("matrix")));
  EXPECT_THAT(outcome.out, HasSubstr("(needs 39)\n"));
}

TEST_F(CheckTest, WithoutTheOptionDependenciesAreNotFound) {
  EXPECT_FALSE(Report(kLinear).contains("dependencies"));
}

// Passes of the compiler ----------------------------------------------------

TEST_F(CheckTest, TimingsListThePassesOfTheCompilerInOrder) {
  Write("linear.mo", kLinear);
  const Outcome outcome = Orrery({"check", "linear.mo", "--timings"});
  EXPECT_EQ(outcome.exit_code, 0);
  const std::size_t aliases = outcome.out.find("\naliases ");
  const std::size_t emit = outcome.out.find("\nemit ");
  ASSERT_NE(aliases, std::string::npos);
  ASSERT_NE(emit, std::string::npos);
  EXPECT_LT(aliases, emit);
}

TEST_F(CheckTest, TheEquationsBehindAPassAreShown) {
  Write("linear.mo", kLinear);
  const Outcome outcome =
      Orrery({"check", "linear.mo", "--dump-after", "match"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("\nequations, each with its unknown\n"));
}

TEST_F(CheckTest, AnUnknownPassIsToldWithThePassesThereAre) {
  Write("linear.mo", kLinear);
  const Outcome outcome =
      Orrery({"check", "linear.mo", "--dump-after", "mtch"});
  EXPECT_NE(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err,
              HasSubstr("no pass 'mtch'; the passes are scalarize, aliases"));
}

TEST_F(CheckTest, ADumpHidesNoError) {
  const Outcome outcome =
      Orrery({"check", "missing.mo", "--dump-after", "match"});
  EXPECT_NE(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("cannot read 'missing.mo'"));
}

// Netlists with inputs and netlists as blocks -------------------------------

class NetlistTest : public CliTest {};

// x' = u, u = 1 up to 5 s and 0 from then on: x(10) = 5.
TEST_F(NetlistTest, AnInputTakesTheColumnOfItsName) {
  Write("net.cbd", "U, 4\nI, 1, 0, 4\nO, 2, 1\n");
  Write("u.csv", "time,b4\n0,1\n5,1\n5,0\n");
  const Outcome outcome = Orrery({"run",
                                  "net.cbd",
                                  "--input",
                                  "u.csv",
                                  "--stop",
                                  "10",
                                  "--json",
                                  "--no-save"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NEAR(json::parse(outcome.out)["final"]["b2"].get<double>(), 5, 1e-9);
}

// Two lags of 1 s behind a step: y = 1 - (1 + t) exp(-t).
TEST_F(NetlistTest, NetlistsAreBlocksOfANetlist) {
  Write("lag.cbd", "U, 1\n+, 2, 1, 1, -1, 3\nI, 3, 0, 2\nO, 4, 3\n");
  Write("two.cbd", "K, 1, 1\nN, 2, lag.cbd, 1\nN, 3, lag.cbd, 2\nO, 4, 3\n");
  const Outcome outcome =
      Orrery({"run", "two.cbd", "--stop", "2", "--json", "--no-save"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NEAR(json::parse(outcome.out)["final"]["b4"].get<double>(),
              0.59399415029016192,
              1e-5);
}

}  // namespace
}  // namespace orrery::cli
