// The code of documents is that of examples, which are compiled and run.

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
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

// A reader who follows a tutorial has the example at its end.
TEST(DocsTest, TutorialsBuildTheirExamples) {
  for (const auto& [document, example] :
       {std::pair("discrete_events", "coffee_stand/coffee_stand"),
        std::pair("planner", "observatory/observatory")}) {
    const auto spaceless = [](const std::string& text) {
      std::string result;
      std::copy_if(
          text.begin(), text.end(), std::back_inserter(result), [](char c) {
            return c != ' ' && c != '\n';
          });
      return result;
    };
    std::string code;
    for (const std::string& part :
         CodeOf(TextOf(std::string("docs/start/") + document + ".md"))) {
      code += part;
    }
    const std::string source =
        TextOf(std::string("examples/") + example + ".cc");
    EXPECT_EQ(spaceless(code),
              spaceless(source.substr(source.find("#include"))))
        << document;
  }
  EXPECT_THAT(TextOf("docs/start/planner.md"),
              testing::HasSubstr(TextOf("examples/observatory/night.json")));
}

}  // namespace
}  // namespace orrery::devs
