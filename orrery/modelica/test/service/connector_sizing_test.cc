#include "orrery/modelica/text_edits/connector_sizing.h"

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/modelica/test/service/service_fixture.h"
#include "orrery/modelica/text_edits/class_editor.h"

namespace orrery::modelica {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kSums =
    "package P\n"
    "  connector In = input Real;\n"
    "  connector Out = output Real;\n"
    "  block Sum\n"
    "    parameter Integer nu = 0 annotation(Dialog(connectorSizing=true));\n"
    "    parameter Integer nb = 0 annotation(Dialog(connectorSizing=true));\n"
    "    parameter Integer fixed = 2;\n"
    "    In u[nu];\n"
    "    In[nb] b;\n"
    "    In v[fixed];\n"
    "    Out y;\n"
    "    Out w[2];\n"
    "  end Sum;\n"
    "  model M\n";

template <typename Step>
std::string AfterSteps(const std::string& body, const Step& step) {
  OneText its(std::string(kSums) + body + "  end M;\nend P;\n");
  const ConnectorSizing sizing(its.workspace, *its.document(), "P.M");
  ClassEditor editor(*its.document(), "P.M", &sizing);
  step(editor);
  EXPECT_EQ(Edited(its.document()->text(), editor.edits()), editor.text());
  return editor.text().substr(kSums.size());
}

TEST(ConnectorSizingTest, GrowsWithAConnection) {
  const std::string body = "    Sum s; Sum t;\n";
  EXPECT_EQ(
      AfterSteps(body,
                 [](ClassEditor& editor) {
                   editor.Connect({.from = "t.y", .to = "s.u"}, {}, {});
                   editor.Connect({.from = "s.u[2]", .to = "t.y"}, {}, {});
                   editor.Connect({.from = "t.y", .to = "s.u[0]"}, {}, {});
                   editor.Connect({.from = "t.y", .to = "s.b"}, {}, {});
                 }),
      "    Sum s(nu=3, nb=1); Sum t;\n"
      "  equation\n"
      "    connect(t.y, s.u[1]);\n"
      "    connect(s.u[2], t.y);\n"
      "    connect(t.y, s.u[3]);\n"
      "    connect(t.y, s.b[1]);\n"
      "  end M;\nend P;\n");
}

TEST(ConnectorSizingTest, GrowsAtBothEnds) {
  EXPECT_THAT(AfterSteps("    Sum s(nu=1); Sum t(nb=2);\n",
                         [](ClassEditor& editor) {
                           editor.Connect({.from = "s.u", .to = "t.b"}, {}, {});
                         }),
              HasSubstr("Sum s(nu=2); Sum t(nb=3);\n  equation\n"
                        "    connect(s.u[2], t.b[3]);"));
}

TEST(ConnectorSizingTest, LeavesElementsThatAreThereAndOtherSizes) {
  const auto line = [](const std::string& from, const std::string& to) {
    return AfterSteps("    Sum s(nu=2); Sum t(nu=fixed); Sum r[2];\n",
                      [&](ClassEditor& editor) {
                        editor.Connect({.from = from, .to = to}, {}, {});
                      });
  };
  EXPECT_THAT(line("t.y", "s.u[1]"), HasSubstr("s(nu=2)"));
  EXPECT_THAT(line("t.y", "s.v"), HasSubstr("connect(t.y, s.v);"));
  // An array as a whole has the size that its user gave.
  EXPECT_THAT(line("t.w", "s.u"), HasSubstr("connect(t.w, s.u);"));
  EXPECT_THAT(line("t.w", "s.u"), HasSubstr("s(nu=2)"));
  // A size that is a formula, and an array of components, are left alone.
  EXPECT_THAT(line("s.y", "t.u"), HasSubstr("connect(s.y, t.u);"));
  EXPECT_THAT(line("s.y", "r.u"), HasSubstr("connect(s.y, r.u);"));
}

TEST(ConnectorSizingTest, RefusesAnElementBeyondTheNext) {
  OneText its(std::string(kSums) + "    Sum s;\n  end M;\nend P;\n");
  const ConnectorSizing sizing(its.workspace, *its.document(), "P.M");
  ClassEditor editor(*its.document(), "P.M", &sizing);
  try {
    editor.Connect({.from = "s.y", .to = "s.u[3]"}, {}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot connect s.u[3]: s.u has 0 elements; the next one is "
                 "1");
  }
  EXPECT_TRUE(editor.edits().empty());
}

constexpr const char* kThree =
    "    Sum s(nu=3, fixed=4); Sum t;\n"
    "  equation\n"
    "    connect(t.y, s.u[1]);\n"
    "    connect(s.u[2], t.y) annotation(Line(points={{0,0},{1,1}}));\n"
    "    connect(t.w[1], s.u[3]); // third\n";

TEST(ConnectorSizingTest, ShrinksAndRenumbers) {
  EXPECT_EQ(
      AfterSteps(kThree,
                 [](ClassEditor& editor) {
                   editor.RemoveConnection({.from = "t.y", .to = "s.u[1]"});
                 }),
      "    Sum s(nu=2, fixed=4); Sum t;\n"
      "  equation\n"
      "    connect(s.u[1], t.y) annotation(Line(points={{0,0},{1,1}}));\n"
      "    connect(t.w[1], s.u[2]); // third\n"
      "  end M;\nend P;\n");
}

TEST(ConnectorSizingTest, ShrinksWithAComponentThatGoes) {
  EXPECT_EQ(
      AfterSteps(kThree,
                 [](ClassEditor& editor) { editor.RemoveComponents({"t"}); }),
      "    Sum s(fixed=4);\n  equation\n  end M;\nend P;\n");
}

TEST(ConnectorSizingTest, KeepsAnElementThatIsConnectedTwice) {
  EXPECT_THAT(
      AfterSteps("    Sum s(nu=1); Sum t;\n  equation\n"
                 "    connect(t.y, s.u[1]);\n    connect(t.w[1], s.u[1]);\n",
                 [](ClassEditor& editor) {
                   editor.RemoveConnection({.from = "t.y", .to = "s.u[1]"});
                 }),
      HasSubstr("Sum s(nu=1)"));
}

TEST(ConnectorSizingTest, KeepsTheSizeWhereALoopConnects) {
  EXPECT_THAT(
      AfterSteps("    Sum s(nu=3); Sum t[2];\n  equation\n"
                 "    connect(t[1].y, s.u[1]);\n"
                 "    for i in 1:2 loop connect(t[i].y, s.u[i+1]); end for;\n",
                 [](ClassEditor& editor) {
                   editor.RemoveConnection({.from = "t[1].y", .to = "s.u[1]"});
                 }),
      HasSubstr("Sum s(nu=3)"));
}

TEST(ConnectorSizingTest, ComesBackToTheSameDeclarations) {
  const std::string back =
      AfterSteps("    Sum s; Sum t;\n", [](ClassEditor& editor) {
        editor.Connect({.from = "t.y", .to = "s.u"}, {}, {});
        editor.RemoveConnection({.from = "t.y", .to = "s.u[1]"});
      });
  EXPECT_THAT(back, HasSubstr("    Sum s; Sum t;\n"));
  EXPECT_THAT(back, Not(HasSubstr("connect(")));
}

}  // namespace
}  // namespace orrery::modelica
