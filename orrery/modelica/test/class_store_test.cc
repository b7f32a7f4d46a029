#include "orrery/modelica/classes/class_store.h"

#include <gtest/gtest.h>

namespace orrery::modelica::internal {
namespace {

TEST(ClassStoreTest, PredefinedTypesAreMembersOfTheRoot) {
  ClassStore store;
  const Member* const real = store.root().Find("Real");
  ASSERT_NE(real, nullptr);
  EXPECT_EQ(real->nested, store.predefined(BuiltIn::kReal));
  EXPECT_EQ(real->nested->built_in, BuiltIn::kReal);
  EXPECT_EQ(store.clock()->name, "Clock");
  EXPECT_EQ(store.clock()->enumeration, store.clock());
}

TEST(ClassStoreTest, TheSameRedeclarationsGiveTheSameClass) {
  ClassStore store;
  ClassNode* const node = store.AddTop("A");
  ClassNode* const first = store.Redeclared(node, {{.name = "B"}});
  EXPECT_NE(first, node);
  EXPECT_EQ(first->name, "A");
  EXPECT_EQ(store.Redeclared(node, {{.name = "B"}}), first);
  EXPECT_NE(store.Redeclared(node, {{.name = "C"}}), first);
}

TEST(ClassStoreTest, ARedeclaredClassKeepsEarlierRedeclarations) {
  ClassStore store;
  ClassNode* const first = store.Redeclared(store.AddTop("A"), {{.name = "B"}});
  ClassNode* const second = store.Redeclared(first, {{.name = "C"}});
  ASSERT_EQ(second->redeclarations.size(), 2U);
  EXPECT_EQ(second->redeclarations[0].name, "C");
  EXPECT_EQ(second->redeclarations[1].name, "B");
}

TEST(ClassStoreTest, TheFirstClassOfATextStandsForAll) {
  ClassStore store;
  const ast::ClassDefinition text;
  ClassNode* const first = store.AddTop("E");
  EXPECT_EQ(store.FirstOf(&text, first), first);
  EXPECT_EQ(store.FirstOf(&text, store.AddTop("F")), first);
}

}  // namespace
}  // namespace orrery::modelica::internal
