// The code of docs/reference/devs.md is that of an example, which is compiled
// and run.

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery::devs {
namespace {

std::string TextOf(const std::string& path) {
  std::ifstream file(std::string(ORRERY_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> CodeOf(const std::string& document) {
  constexpr std::string_view kBegin = "```cpp\n";
  std::vector<std::string> result;
  for (std::size_t at = document.find(kBegin); at != std::string::npos;
       at = document.find(kBegin, at)) {
    at += kBegin.size();
    const std::size_t end = document.find("```", at);
    result.push_back(document.substr(at, end - at));
    at = end;
  }
  return result;
}

TEST(DocsTest, CodeIsThatOfAnExample) {
  const std::string examples =
      TextOf("examples/workshop/workshop.cc") + TextOf("examples/bank/bank.cc");
  const auto snippets = CodeOf(TextOf("docs/reference/devs.md"));
  EXPECT_GE(snippets.size(), 8U);
  for (const std::string& snippet : snippets) {
    EXPECT_THAT(examples, testing::HasSubstr(snippet));
  }
}

}  // namespace
}  // namespace orrery::devs
