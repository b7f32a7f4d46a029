#include "orrery/modelica/workspace/class_index.h"

#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

#include "orrery/syntax/parser.h"

namespace orrery::modelica {
namespace {

std::unique_ptr<const ast::StoredDefinition> Tree(const std::string& text) {
  Diagnostics diagnostics;
  return Parse(std::make_shared<SourceFile>("/nowhere/a.mo", text),
               diagnostics);
}

TEST(ClassIndexTest, KnowsTheBuiltInLibraryAtOnce) {
  const ClassIndex index({});
  const ClassEntry* const gain = index.Find("Modelica.Blocks.Math.Gain");
  ASSERT_NE(gain, nullptr);
  EXPECT_EQ(gain->kind, ast::ClassKind::kBlock);
  EXPECT_TRUE(index.is_complete());
}

TEST(ClassIndexTest, FindsTheLastPartOfANameFirst) {
  const ClassIndex index({});
  const auto found = index.Search("gain", 5);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front()->name, "Modelica.Blocks.Math.Gain");
}

TEST(ClassIndexTest, FindsAllWordsInNameAndDescription) {
  ClassIndex index({});
  index.Replace(
      *Tree("package Zoo\n  model Tank \"Holds warm water\"\n"
            "  end Tank;\nend Zoo;\n"));
  const auto found = index.Search("zoo WATER", 5);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front()->name, "Zoo.Tank");
}

TEST(ClassIndexTest, KnowsTheLinesOfNames) {
  ClassIndex index({});
  index.Replace(
      *Tree("package Zoo\r\n  /* \u00f6 */ model Tank \"\n\"\n  end Tank;\n"
            "  model B end B; model C end C;\nend Zoo;\n"));
  const ClassEntry* const tank = index.Find("Zoo.Tank");
  ASSERT_NE(tank, nullptr);
  EXPECT_EQ(tank->line, 1U);
  EXPECT_EQ(tank->line_begin, "  /* \u00f6 */ model ");
  EXPECT_EQ(index.Find("Zoo.C")->line, 4U);
  EXPECT_EQ(index.Find("Zoo.C")->line_begin, "  model B end B; model ");
  EXPECT_EQ(index.Find("Zoo")->line, 0U);
}

TEST(ClassIndexTest, ForgetsTheOldClassesOfAFile) {
  ClassIndex index({});
  index.Replace(*Tree("model Old end Old;"));
  index.Replace(*Tree("model New end New;"));
  EXPECT_EQ(index.Find("Old"), nullptr);
  EXPECT_NE(index.Find("New"), nullptr);
}

TEST(ClassIndexTest, ForgetsTheClassesOfAFileOrAFolderThatIsGone) {
  ClassIndex index({});
  index.Replace(*Tree("model Old end Old;"));
  index.Remove("/nowhere/a");
  EXPECT_NE(index.Find("Old"), nullptr);
  index.Remove("/nowhere/a.mo");
  EXPECT_EQ(index.Find("Old"), nullptr);
  index.Replace(*Tree("model Old end Old;"));
  index.Remove("/nowhere");
  EXPECT_EQ(index.Find("Old"), nullptr);
}

TEST(ClassIndexTest, ListsTheClassesRightInAPackage) {
  const ClassIndex index({});
  for (const ClassEntry* const entry : index.ClassesIn("Modelica.Blocks")) {
    EXPECT_EQ(std::ranges::count(entry->name, '.'), 2) << entry->name;
  }
  EXPECT_GT(index.ClassesIn("Modelica.Blocks").size(), 5U);
}

}  // namespace
}  // namespace orrery::modelica
