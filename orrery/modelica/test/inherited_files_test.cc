// Classes in files of their own that another package inherits (specification
// 3.6, sections 7.1 and 13.4).

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/library_texts/package_folder.h"
#include "orrery/modelica/load.h"
#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using ::testing::HasSubstr;

using Texts = std::vector<std::pair<std::string, std::string>>;

// Base.f gives k times 100; k is 2 in Base and 3 in Derived.
Texts Library() {
  return {{"L/package.mo", "package L\nend L;\n"},
          {"L/Base/package.mo",
           "within L;\npackage Base\n  extends L.Types;\n"
           "  constant Integer k = 2;\n  constant Choice c = Choice.two;\n"
           "end Base;\n"},
          {"L/Base/g.mo",
           "within L.Base;\nfunction g\n  output Integer y = 100;\n"
           "algorithm\nend g;\n"},
          {"L/Base/f.mo",
           "within L.Base;\nfunction f\n  output Integer y = k*g();\n"
           "algorithm\nend f;\n"},
          {"L/Base/Sub/package.mo",
           "within L.Base;\npackage Sub\n  constant Integer m = 10*k;\n"
           "end Sub;\n"},
          {"L/Base/Sub/h.mo",
           "within L.Base.Sub;\nfunction h\n  output Integer y = m;\n"
           "algorithm\nend h;\n"},
          {"L/Derived/package.mo",
           "within L;\npackage Derived\n  extends Base(k = 3);\nend Derived;"
           "\n"},
          {"L/Types/package.mo", "within L;\npackage Types\nend Types;\n"},
          {"L/Types/Choice.mo",
           "within L.Types;\ntype Choice = enumeration(one, two);\n"}};
}

// Checks a model in L, for each way of reading its library.
void ExpectSize(const std::string& size, const std::string& body) {
  Texts texts = Library();
  texts.emplace_back("L/M.mo",
                     "within L;\nmodel M\n" + body +
                         "  parameter Real p[n] = ones(n);\nend M;\n");
  FileSet files(FileSet::Others::kNowhere);
  for (const auto& [name, text] : texts) {
    files.Add(std::make_shared<const SourceFile>(name, text));
  }
  const auto check = [&](std::vector<std::shared_ptr<const SourceFile>> asked) {
    Diagnostics diagnostics;
    const auto flat = Flatten(std::move(asked), "L.M", diagnostics, {}, files);
    ASSERT_TRUE(flat) << Render(diagnostics.list());
    EXPECT_THAT(Dump(*flat), HasSubstr("p[" + size + "]"));
  };
  check(ReadTexts("L/M.mo", files));
  check({files.Read("L/M.mo")});
}

TEST(InheritedFilesTest, AFunctionSeesTheConstantsOfThePackageThatInheritsIt) {
  ExpectSize("300", "  constant Integer n = Derived.f();\n");
  ExpectSize("200", "  constant Integer n = Base.f();\n");
}

TEST(InheritedFilesTest, AShortClassHasThem) {
  ExpectSize("400",
             "  package P = Base(k = 4);\n"
             "  constant Integer n = P.f();\n");
}

TEST(InheritedFilesTest, AReplaceablePackageHasThem) {
  ExpectSize("300",
             "  replaceable package P = Derived constrainedby Base;\n"
             "  constant Integer n = P.f();\n");
}

TEST(InheritedFilesTest, ARedeclaredPackageHasThem) {
  ExpectSize("500",
             "  model A\n    replaceable package P = Base;\n"
             "    constant Integer n = P.f();\n  end A;\n"
             "  extends A(redeclare package P = Base(k = 5));\n");
}

TEST(InheritedFilesTest, ImportsFindThem) {
  ExpectSize("300", "  import L.Derived.f;\n  constant Integer n = f();\n");
  ExpectSize("300", "  import L.Derived.*;\n  constant Integer n = f();\n");
}

TEST(InheritedFilesTest, PackagesWithinAreInheritedWithTheirFiles) {
  ExpectSize("30", "  constant Integer n = Derived.Sub.h();\n");
  ExpectSize("20", "  constant Integer n = Base.Sub.h();\n");
}

TEST(InheritedFilesTest, AnInheritedEnumerationIsOneType) {
  ExpectSize("2",
             "  constant Types.Choice c = Derived.c;\n"
             "  constant Integer n = if c == Base.Choice.two then 2 else 1;\n");
}

TEST(InheritedFilesTest, WhatIsInheritedAlongTwoWaysIsThereOnce) {
  ExpectSize("600",
             "  package A = Base;\n"
             "  package P\n    extends Base(k = 6);\n    extends L.Types;\n"
             "  end P;\n"
             "  constant Integer n = P.f();\n");
}

}  // namespace
}  // namespace orrery::modelica
