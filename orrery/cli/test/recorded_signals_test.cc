#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/cli/test/cli_fixture.h"

namespace orrery::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

// Its protected quantities are a scalar, an array, a part, and a whole part;
// the condition of `when` is a quantity that no text declares.
constexpr const char* kTank = R"(
model Valve
  Real rate = 2*opening;
  Real opening = 0.25;
protected
  Real loss = rate/8;
end Valve;
model Tank
  Real level(start = 1, fixed = true);
  discrete Real mark(start = 0, fixed = true);
protected
  Real twice = 2*level;
  Real sides[2] = {level, 3*level};
  Valve valve;
equation
  der(level) = -valve.rate*level;
  when level < 0.7 and twice < 5 then
    mark = time;
  end when;
end Tank;
)";

class RecordedSignalsTest : public CliTest {
 protected:
  RecordedSignalsTest() { Write("tank.mo", kTank); }

  // The names of signals in the CSV file of a run with these options.
  std::vector<std::string> NamesOf(const std::vector<std::string>& options) {
    std::vector<std::string> words = {
        "run", "tank.mo", "Tank", "--no-save", "--output", "out.csv"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string text = ReadAll(folder_ + "/out.csv");
    std::vector<std::string> names;
    std::string name;
    bool is_quoted = false;
    for (const char c : text.substr(0, text.find('\n')) + ",") {
      if (c == '"') {
        is_quoted = !is_quoted;
      } else if (c == ',' && !is_quoted) {
        names.push_back(name);
        name.clear();
      } else {
        name += c;
      }
    }
    return names;
  }
};

TEST_F(RecordedSignalsTest, ProtectedOnesAreLeftOut) {
  EXPECT_THAT(
      NamesOf({}),
      testing::UnorderedElementsAre("time", "level", "der(level)", "mark"));
}

TEST_F(RecordedSignalsTest, ProtectedOnesAreKeptOnDemand) {
  EXPECT_THAT(NamesOf({"--protected"}),
              testing::UnorderedElementsAre("time",
                                            "level",
                                            "der(level)",
                                            "mark",
                                            "twice",
                                            "sides[1]",
                                            "sides[2]",
                                            "valve.rate",
                                            "valve.opening",
                                            "valve.loss"));
}

TEST_F(RecordedSignalsTest, AllAreThoseThatATextDeclares) {
  EXPECT_EQ(NamesOf({"--record", "*"}), NamesOf({"--protected"}));
}

TEST_F(RecordedSignalsTest, PatternsChooseThem) {
  EXPECT_THAT(NamesOf({"--record", "valve.*", "--record", "mark"}),
              testing::UnorderedElementsAre(
                  "time", "mark", "valve.rate", "valve.opening", "valve.loss"));
  EXPECT_THAT(NamesOf({"--record", "sides"}),
              testing::UnorderedElementsAre("time", "sides[1]", "sides[2]"));
}

TEST_F(RecordedSignalsTest, APatternThatFitsNothingIsRefused) {
  const Outcome outcome =
      Orrery({"run", "tank.mo", "Tank", "--no-save", "--record", "vlave.rate"});

  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("cannot record 'vlave.rate': model Tank has no such "
                        "quantity; did you mean 'valve.rate'"));
}

TEST_F(RecordedSignalsTest, ARunThatIsDoneAgainKeepsThem) {
  const Outcome first = Orrery(
      {"run", "tank.mo", "Tank", "--record", "twice", "--store", "s.db"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("twice"));

  const Outcome again = Orrery({"rerun", "1", "--json", "--store", "s.db"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("\"twice\""));
  EXPECT_THAT(again.out, Not(HasSubstr("\"level\"")));
}

}  // namespace
}  // namespace orrery::cli
