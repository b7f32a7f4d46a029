#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/modelica/dialog/dialog.h"
#include "orrery/modelica/dialog/fitting_classes.h"
#include "orrery/modelica/test/service/service_fixture.h"
#include "orrery/modelica/text_edits/class_editor.h"

namespace orrery::modelica {
namespace {

constexpr const char* kMedia =
    "package Media\n"
    "  partial package Medium\n"
    "    constant Real T0 = 298 \"Reference\";\n"
    "  end Medium;\n"
    "  package Water\n"
    "    extends Medium;\n"
    "    constant Real density = 1000;\n"
    "  end Water;\n"
    "  package Air\n"
    "    extends Medium(T0 = 300);\n"
    "    constant Real R = 287;\n"
    "    final constant Real fixed_one = 1;\n"
    "  end Air;\n"
    "  package Steel end Steel;\n"
    "  model Pipe\n"
    "    replaceable package Medium = Water constrainedby Media.Medium;\n"
    "    parameter Real length = 1;\n"
    "  end Pipe;\n"
    "  model Plant\n"
    "    Pipe pipe(length=3) \"first\"; // stays\n"
    "    Pipe other(redeclare package Medium = Air(R=290), length=2);\n"
    "  end Plant;\n"
    "end Media;\n";

std::string Chosen(const std::string& component,
                   const std::optional<std::string>& type) {
  OneText its(kMedia);
  ClassEditor editor(*its.document(), "Media.Plant");
  editor.ChooseClass(component, "package", "Medium", type);
  return editor.text();
}

std::string Replaced(std::string text,
                     const std::string& old,
                     const std::string& by) {
  return text.replace(text.find(old), old.size(), by);
}

TEST(ReplaceableClassTest, IsChosenBehindTheModifiers) {
  EXPECT_EQ(Chosen("pipe", "Media.Air"),
            Replaced(kMedia,
                     "pipe(length=3)",
                     "pipe(length=3, redeclare package Medium = Media.Air)"));
}

TEST(ReplaceableClassTest, TakesThePlaceOfAnotherWithItsModifiers) {
  EXPECT_EQ(Chosen("other", "Media.Water"),
            Replaced(kMedia, "Air(R=290), length", "Media.Water, length"));
}

TEST(ReplaceableClassTest, LeavesNothingWhenTheDefaultIsToHold) {
  EXPECT_EQ(
      Chosen("other", std::nullopt),
      Replaced(
          kMedia, "redeclare package Medium = Air(R=290), length", "length"));
  EXPECT_EQ(Chosen("pipe", std::nullopt), kMedia);
}

TEST(ReplaceableClassTest, IsModifiedWhereItIsChosen) {
  OneText its(kMedia);
  ClassEditor editor(*its.document(), "Media.Plant");
  editor.SetModifier("other", {"Medium", "R"}, "280");
  editor.SetModifier("pipe", {"Medium", "density"}, "998");
  EXPECT_EQ(editor.text(),
            Replaced(Replaced(kMedia, "R=290", "R=280"),
                     "pipe(length=3)",
                     "pipe(length=3, Medium.density=998)"));
  editor.SetModifier("other", {"Medium", "R"}, std::nullopt);
  EXPECT_NE(editor.text().find("other(redeclare package Medium = Air, length"),
            std::string::npos);
}

std::vector<std::string> FieldsOf(const Description& description) {
  std::vector<std::string> fields;
  for (const ParameterField& field : description.parameters) {
    fields.push_back((field.of.empty() ? "" : field.of + ".") + field.name +
                     "=" + field.value.value_or("") + "|" +
                     field.default_text.value_or(""));
  }
  return fields;
}

TEST(ReplaceableClassTest, IsDescribedWithTheParametersOfItsDefault) {
  OneText its(kMedia);
  const Description found =
      Describe(its.workspace, *its.document(), "Media.Plant", "pipe");
  EXPECT_EQ(FieldsOf(found),
            (std::vector<std::string>{"length=3|1",
                                      "Medium=|Media.Water",
                                      "Medium.T0=|298",
                                      "Medium.density=|1000"}));
  EXPECT_EQ(found.parameters[1].constraint, "Media.Medium");
}

TEST(ReplaceableClassTest, IsDescribedWithTheParametersOfWhatIsChosen) {
  OneText its(kMedia);
  const Description found =
      Describe(its.workspace, *its.document(), "Media.Plant", "other");
  EXPECT_EQ(FieldsOf(found),
            (std::vector<std::string>{"length=2|1",
                                      "Medium=Air|Media.Water",
                                      "Medium.T0=|300",
                                      "Medium.R=290|287"}));
}

TEST(ReplaceableClassTest, FitsIfItExtendsTheConstraint) {
  OneText its(kMedia);
  ClassIndex index({});
  index.Replace(its.document()->tree());
  std::vector<std::string> names;
  for (const ClassEntry* const entry : FittingClasses(
           its.workspace, index, *its.document(), {}, "Media.Medium")) {
    names.push_back(entry->name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"Media.Air", "Media.Water"}));
  EXPECT_TRUE(
      FittingClasses(its.workspace, index, *its.document(), {}, "Media.No")
          .empty());
}

}  // namespace
}  // namespace orrery::modelica
