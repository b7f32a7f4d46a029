#include "orrery/modelica/assist/places.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/modelica/assist/completion.h"
#include "orrery/modelica/assist/hover.h"
#include "orrery/modelica/assist/indent.h"
#include "orrery/modelica/assist/outline.h"
#include "orrery/modelica/test/service/service_fixture.h"

namespace orrery::modelica {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The texts of spans with their offsets: "x@12".
std::vector<std::uint32_t> BeginsOf(const std::vector<SourceSpan>& spans) {
  std::vector<std::uint32_t> begins;
  for (const SourceSpan& span : spans) {
    begins.push_back(span.begin);
  }
  return begins;
}

TEST(PlacesTest, FindsAnInheritedElement) {
  OneText its(
      "package P\n  model A\n    Real x;\n  end A;\n  model B\n"
      "    extends A;\n  equation\n    x = 1;\n  end B;\nend P;\n");
  const auto found =
      DefinitionAt(its.workspace, *its.document(), its.At("x = 1"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->begin, its.At("x;"));
}

TEST(PlacesTest, FindsAnElementOfAComponentOfAComponent) {
  OneText its(
      "package P\n  model A\n    Real x;\n  end A;\n  model B\n    A a;\n"
      "  end B;\n  model C\n    B b[2];\n  equation\n    b[1].a.x = 1;\n"
      "  end C;\nend P;\n");
  const auto found =
      DefinitionAt(its.workspace, *its.document(), its.At("x = 1"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->begin, its.At("x;"));
}

TEST(PlacesTest, FindsWhatIsImported) {
  OneText its(
      "package P\n  package Q\n    constant Real c = 1;\n  end Q;\n"
      "  model M\n    import Z = P.Q;\n    Real y = Z.c;\n  end M;\nend P;\n");
  const auto found =
      DefinitionAt(its.workspace, *its.document(), its.At("c;\n  end M"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->begin, its.At("c = 1"));
}

TEST(PlacesTest, FindsModifiersArgumentsAndLiterals) {
  OneText its(
      "package P\n  type E = enumeration(one, two);\n"
      "  function f\n    input Real arg;\n    output Real r;\n  algorithm\n"
      "    r := arg;\n  end f;\n  model A\n    parameter Real k = 1;\n"
      "  end A;\n  model M\n    A a(k = 3);\n    E e = E.two;\n"
      "    Real y = f(arg = 2);\n  end M;\nend P;\n");
  const auto definition = [&](const std::string& word, int number = 0) {
    const auto found =
        DefinitionAt(its.workspace, *its.document(), its.At(word, number));
    return found ? found->begin : 0;
  };
  EXPECT_EQ(definition("k = 3"), its.At("k = 1"));
  EXPECT_EQ(definition("two;"), its.At("two)"));
  EXPECT_EQ(definition("arg = 2"), its.At("arg;"));
}

TEST(PlacesTest, KnowsIteratorsOfLoopsAndReductions) {
  OneText its(
      "model M\n  Real x[3];\n  Real i = 5;\nequation\n  for i in 1:3 loop\n"
      "    x[i] = sum(i for i in 1:2);\n  end for;\nend M;\n");
  EXPECT_THAT(BeginsOf(HighlightsAt(
                  its.workspace, *its.document(), its.At("i in 1:3"))),
              ElementsAre(its.At("i in 1:3"), its.At("i] =")));
}

TEST(PlacesTest, FindsClassesOfTheBuiltInLibrary) {
  OneText its("model M\n  Modelica.Blocks.Math.Gain gain(k=2);\nend M;\n");
  const auto found =
      DefinitionAt(its.workspace, *its.document(), its.At("Gain"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->file->name(), "Modelica/Blocks/Math.mo");
  EXPECT_EQ(found->file->text().substr(found->begin, 4), "Gain");
}

TEST(PlacesTest, GoesFromAComponentToItsType) {
  OneText its(
      "package P\n  model A\n  end A;\n  model M\n    A first;\n  end M;\n"
      "end P;\n");
  const auto found =
      TypeDefinitionAt(its.workspace, *its.document(), its.At("first"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->begin, its.At("A\n"));
}

TEST(PlacesTest, AnswersInATextWithErrors) {
  OneText its(
      "model M\n  Real x;\n  Real y\n  Real z;\nequation\n  x = ;\n"
      "  z = x;\nend M;\n");
  const auto found =
      DefinitionAt(its.workspace, *its.document(), its.At("x;\nend"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->begin, its.At("x;"));
}

TEST(PlacesTest, RenamesNoNameThatIsTaken) {
  OneText its("model M\n  Real x;\n  Real y;\nequation\n  x = y;\nend M;\n");
  try {
    (void)Rename(its.workspace, *its.document(), its.At("x"), "y");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot rename this: 'y' is there already, in M");
  }
}

TEST(PlacesTest, RenamesInEveryOpenText) {
  OneText its("model Pump\n  parameter Real k = 1;\nend Pump;\n",
              "/nowhere/Pump.mo");
  its.workspace.Open("/nowhere/Plant.mo",
                     "model Plant\n  Pump p(k = 2);\nend Plant;\n");
  const Renaming renaming =
      Rename(its.workspace, *its.document(), its.At("k"), "gain");
  ASSERT_EQ(renaming.spans.size(), 2U);
  EXPECT_EQ(renaming.spans[0].file->name(), "/nowhere/Plant.mo");
  EXPECT_EQ(renaming.spans[1].file->name(), "/nowhere/Pump.mo");
}

TEST(HoverTest, ConvertsDocumentationToMarkdown) {
  OneText its(
      "model M \"First\"\n  annotation(Documentation(info=\"<html><p>A "
      "<b>pump</b> &lt; 3&deg;</p><script>x</script><ul><li>one</li></ul>"
      "</html>\"));\nend M;\n");
  const auto hover = HoverAt(its.workspace, *its.document(), its.At("M"));
  ASSERT_TRUE(hover);
  EXPECT_THAT(hover->markdown, HasSubstr("model M \"First\""));
  EXPECT_THAT(hover->markdown, HasSubstr("A **pump** < 3\u00b0\n\n- one"));
  EXPECT_THAT(hover->markdown, ::testing::Not(HasSubstr("script")));
}

TEST(OutlineTest, FoldsAnnotationsOfSeveralLines) {
  OneText its(
      "model M\n  Real x annotation(a=1);\n  annotation(b=2,\n"
      "    c=3);\nend M;\n");
  const auto folds = FoldsOf(*its.document());
  ASSERT_EQ(folds.size(), 2U);
  EXPECT_EQ(folds[1].kind, Fold::Kind::kAnnotation);
  EXPECT_EQ(folds[1].span.begin, its.At("annotation(b"));
}

TEST(OutlineTest, IndentsEachExampleAsItIs) {
  OneText its(
      "within P;\nmodel M \"a\n  b\"\n  Real x(start=1,\n    fixed=true);\n"
      "  // note\nprotected\n  Real y;\ninitial equation\n  x = 0;\n"
      "equation\n  when x > 1 then\n    y = pre(y);\n  elsewhen x > 2 then\n"
      "    y = if x > 3 then\n      1 else\n      2;\n  end when;\n"
      "  for i in 1:2 loop\n    x = i;\n  end for;\n"
      "  annotation(Icon(graphics={\n    Line()}));\nend M;\n");
  EXPECT_TRUE(its.document()->findings().empty());
  EXPECT_TRUE(IndentsOf(*its.document(), 2).empty());
}

}  // namespace
}  // namespace orrery::modelica
