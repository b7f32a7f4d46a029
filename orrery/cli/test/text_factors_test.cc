// Sweeps over texts: what is told and written of them.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using nlohmann::json;

// It comes to 1 or to 2.
class TextFactorsTest : public CliTest {
 protected:
  TextFactorsTest() {
    Write("kinds.mo", R"(
model Kinds
  parameter String kind = "slow";
  Real x(start = 0, fixed = true);
  output Real speed = if kind == "slow" then 1 else 2;
equation
  der(x) = speed;
  annotation(experiment(StopTime = 1));
end Kinds;
)");
  }

  [[nodiscard]] json Report(std::vector<std::string> words) const {
    words.insert(words.end(), {"--keep", "final(x)", "--json"});
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out);
  }
};

TEST_F(TextFactorsTest, JsonHasTheTexts) {
  const json report =
      Report({"sweep", "kinds.mo", "--vary", "kind={slow,fast}"});
  const json& column = report["columns"][0];
  EXPECT_EQ(column["values"], json({"slow", "fast"}));
  EXPECT_FALSE(column.contains("mean"));  // Texts have none.
  EXPECT_NEAR(report["columns"][1]["values"][1], 2, 1e-6);
}

TEST_F(TextFactorsTest, FilesHaveTheTextsAlsoOnesFromTheStore) {
  EXPECT_EQ(Orrery({"sweep",
                    "kinds.mo",
                    "--vary",
                    "kind={slow,fast,wild}",
                    "--keep",
                    "final(speed)",
                    "--output",
                    "now.csv",
                    "--store",
                    "s.db"})
                .exit_code,
            0);
  EXPECT_EQ(Orrery({"export", "1", "then.csv", "--store", "s.db"}).exit_code,
            0);
  const std::string text =
      "run,status,kind,final(speed)\n"
      "1,completed,slow,1\n"
      "2,completed,fast,2\n"
      "3,completed,wild,2\n";
  EXPECT_EQ(ReadAll(folder_ + "/now.csv"), text);
  EXPECT_EQ(ReadAll(folder_ + "/then.csv"), text);
}

}  // namespace
}  // namespace orrery::cli
