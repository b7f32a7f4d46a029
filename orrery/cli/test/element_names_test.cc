// Elements of arrays that go by the values of a type, by their names.

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
using testing::StartsWith;

// c[S.A] comes to 3, c[S.B] to 8.
class ElementNamesCliTest : public CliTest {
 protected:
  ElementNamesCliTest() {
    Write("m.mo", R"(
model M
  type S = enumeration(A, B);
  type Q = enumeration(u, v);
  model Part
    parameter Real k = 1;
    parameter Integer n[Q] = {1, 2};
    Real y[Q] = {k*time, 2*k*time};
    Real z[n[Q.v]] = fill(time, n[Q.v]);
  end Part;
  Real c[S](each start = 0, each fixed = true);
  Real d[S, Boolean];
  parameter Real k[S](each unit = "m") = {3, 4};
  parameter String name[S] = {"a", "b"};
  Part r[S];
  input Real u[S](each start = 0);
equation
  der(c[S.A]) = k[S.A] + u[S.A];
  der(c[S.B]) = 2*k[S.B] + u[S.B];
  for i in S, b in Boolean loop
    d[i, b] = time*Integer(i) + (if b then 10 else 0);
  end for;
  annotation(experiment(StopTime = 1));
end M;
)");
  }

  [[nodiscard]] json Final(std::vector<std::string> words) const {
    words.insert(words.begin(), {"run", "m.mo"});
    words.emplace_back("--json");
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out)["final"];
  }

  // The final value of `measure` in a sweep of one run.
  [[nodiscard]] double Kept(const std::string& vary,
                            const std::string& measure) const {
    const Outcome outcome =
        Orrery({"sweep", "m.mo", "--vary", vary, "--keep", measure, "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out)["columns"].back()["values"][0];
  }
};

TEST_F(ElementNamesCliTest, ResultsNameElementsByTheirLiterals) {
  const json final = Final({});
  EXPECT_NEAR(final["c[S.A]"], 3, 1e-9);
  EXPECT_NEAR(final["d[S.B,true]"], 12, 1e-9);
  EXPECT_NEAR(final["r[S.B].y[Q.v]"], 2, 1e-9);
  EXPECT_NEAR(final["der(c[S.B])"], 8, 1e-9);
  EXPECT_FALSE(final.contains("c[1]"));
}

TEST_F(ElementNamesCliTest, APlotTakesLiteralsAndNumbers) {
  for (const char* const name :
       {"c[S.A]", "c[1]", "c[M.S.A]", "d[S.A, true]", "r[S.B].y[Q.u]"}) {
    const Outcome outcome = Orrery({"run", "m.mo", "--plot", name});
    EXPECT_EQ(outcome.exit_code, 0) << name << outcome.err;
    EXPECT_THAT(outcome.err, testing::IsEmpty()) << name;
  }
}

TEST_F(ElementNamesCliTest, SettingsTakeLiteralsAndNumbers) {
  EXPECT_NEAR(Final({"--set", "k[S.A]=5"})["c[S.A]"], 5, 1e-9);
  EXPECT_NEAR(Final({"--set", "k[A]=50 cm"})["c[S.A]"], 0.5, 1e-9);
  EXPECT_NEAR(Final({"--set", "k[2]=5"})["c[S.B]"], 10, 1e-9);
  EXPECT_NEAR(Final({"--set", "k={5, 6}"})["c[S.B]"], 12, 1e-9);
  EXPECT_NEAR(Final({"--set", "r[S.B].k=7"})["r[S.B].y[Q.u]"], 7, 1e-9);
}

TEST_F(ElementNamesCliTest, SettingsOfSizesTakeLiterals) {
  EXPECT_TRUE(Final({"--set", "r[S.B].n[Q.v]=3"}).contains("r[S.B].z[3]"));
  EXPECT_FALSE(Final({"--set", "r[S.B].n[Q.v]=3"}).contains("r[S.A].z[3]"));
}

TEST_F(ElementNamesCliTest, SweepsVaryAndMeasureElements) {
  EXPECT_NEAR(Kept("k[S.A]=2", "max(c[S.A])"), 2, 1e-6);
  EXPECT_NEAR(Kept("k[1]=2", "final(c[M.S.A])"), 2, 1e-6);
  EXPECT_NEAR(Kept("r[S.B].n[Q.u]=2", "mean(d[S.A,true])"), 10.5, 1e-6);
}

TEST_F(ElementNamesCliTest, ARunEndsByAnElement) {
  EXPECT_NEAR(Final({"--until", "c[S.B] > 4"})["d[S.A,false]"], 0.5, 1e-6);
  EXPECT_NEAR(
      Final({"--until", "d[S.A, true] > 10.25"})["d[S.A,false]"], 0.25, 1e-6);
}

TEST_F(ElementNamesCliTest, ATableOfInputsNamesElements) {
  Write("u.csv", "time,u[S.A],u[2]\n0,1,2\n1,1,2\n");
  const json final = Final({"--input", "u.csv"});
  EXPECT_NEAR(final["c[S.A]"], 4, 1e-6);
  EXPECT_NEAR(final["c[S.B]"], 10, 1e-6);
}

TEST_F(ElementNamesCliTest, FilesAndStoredRunsHaveTheLiterals) {
  EXPECT_EQ(
      Orrery({"run", "m.mo", "--store", "s.db", "--output", "r.csv"}).exit_code,
      0);
  EXPECT_THAT(ReadAll(folder_ + "/r.csv"), StartsWith("time,c[S.A],c[S.B],"));
  for (const char* const name : {"c[S.A]", "c[1]", "d[S.A,true]", "d[1,2]"}) {
    const Outcome shown =
        Orrery({"show", "1", "--store", "s.db", "--plot", name});
    EXPECT_EQ(shown.exit_code, 0) << name << shown.err;
  }
}

TEST_F(ElementNamesCliTest, AWrongLiteralIsToldWithTheNamesOfElements) {
  const Outcome outcome = Orrery({"run", "m.mo", "--set", "k[S.C]=1"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("'k' is an array from k[S.A] to k[S.B]"));
}

}  // namespace
}  // namespace orrery::cli
