// Inputs that are no text, or never end.

#include <sys/stat.h>

#include <filesystem>
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

class InputFilesTest : public CliTest {
 protected:
  InputFilesTest() {
    Write("lag.mo",
          "model Lag\n  input Real u(start = 1);\n"
          "  Real y(start = 0, fixed = true);\n"
          "equation\n  der(y) = u - y;\nend Lag;\n");
  }

  // Returns the error message of a wrong input.
  [[nodiscard]] std::string Refused(
      const std::vector<std::string>& words) const {
    const Outcome outcome = Orrery(words);
    EXPECT_GT(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err.find("internal error"), std::string::npos);
    return outcome.err;
  }
};

TEST_F(InputFilesTest, WordsOfACommandThatAreNoUtf8AreTold) {
  Write("odd\xFF.mo", "model M\nend M;\n");
  EXPECT_EQ(Refused({"run", "odd\xFF.mo"}),
            "orrery: cannot take the argument 'odd?.mo': it is no UTF-8; write "
            "it as that, and rename a file of this name\n");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", "lag.mo", "--until", "y > \xC3"},
        {"sweep", "lag.mo", "--vary", "u=1:2", "--keep", "max(\xFF)"},
        {"run", "lag.mo", "--store", "\xFE.db"},
        {"note", "1", "\xED\xA0\x80"}}) {
    EXPECT_THAT(Refused(words), HasSubstr("it is no UTF-8")) << words.back();
  }
  const Outcome outcome =
      Orrery({"run", "lag.mo", "--until", "\xFF", "--json"});
  EXPECT_THAT(json::parse(outcome.out).at("message").get<std::string>(),
              HasSubstr("it is no UTF-8"));
}

TEST_F(InputFilesTest, BytesOfOtherEncodingsInFilesAreReplaced) {
  Write("latin.mo",
        "model Latin \"Gr\xF6\xDF"
        "e\"\n  Real x(start = 1, fixed = true) \"\xFF\";\n"
        "equation\n  der(x) = -x;\nend Latin;\n");
  Write("u.csv", "time,u,Gr\xF6\xDF\n0,2,1\n1,2,1\n");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", "latin.mo", "--store", "s.db"},
        {"run",
         "lag.mo",
         "--data",
         "u.csv",
         "--plot",
         "y,u",
         "--store",
         "s.db"},
        {"show", "1", "--json", "--store", "s.db"},
        {"rerun", "1", "--store", "s.db"},
        {"rerun", "2", "--store", "s.db"}}) {
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  EXPECT_THAT(Refused({"run", "lag.mo", "--input", "u.csv"}),
              HasSubstr("'Gr?\?'"));
}

TEST_F(InputFilesTest, PlansAndNetlistsWithOtherBytesAreTold) {
  Write("plan.json", "{\"\xFF\": 1}");
  EXPECT_THAT(Refused({"run", Plugin("rover"), "--plan", "plan.json"}),
              HasSubstr("plan.json:1:"));
  Write("odd.cbd", "I, 1, \xFF, 2\n");
  EXPECT_THAT(Refused({"run", "odd.cbd"}), HasSubstr("odd.cbd:1:"));
}

TEST_F(InputFilesTest, DevicesAndPipesAreToldAndNotWaitedFor) {
  ASSERT_EQ(mkfifo((folder_ + "/pipe.mo").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", folder_ + "/zero.mo");
  std::filesystem::create_symlink("/dev/zero", folder_ + "/zero.csv");
  std::filesystem::create_symlink("/dev/zero", folder_ + "/zero.so");
  std::filesystem::create_symlink("/dev/zero", folder_ + "/zero.db");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", "pipe.mo"},
        {"check", "zero.mo"},
        {"run", "lag.mo", "--input", "zero.csv"},
        {"run", "lag.mo", "--data", "zero.csv", "--plot", "y"},
        {"run", "zero.so"}}) {
    EXPECT_THAT(Refused(words), HasSubstr("a pipe or a device"))
        << words.back();
  }
  EXPECT_THAT(Refused({"run", "lag.mo", "--store", "zero.db"}),
              HasSubstr("it is not a file"));
}

TEST_F(InputFilesTest, FilesThatNoMemoryHoldsAreTold) {
  for (const char* name : {"large.mo", "large.csv", "large.so"}) {
    Write(name, "");
    std::filesystem::resize_file(folder_ + "/" + name, 20'000'000'000U);
  }
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", "large.mo"},
        {"check", "large.mo"},
        {"run", "lag.mo", "--input", "large.csv"}}) {
    EXPECT_THAT(Refused(words), HasSubstr("it is larger than 4 GiB"));
  }
}

}  // namespace
}  // namespace orrery::cli
