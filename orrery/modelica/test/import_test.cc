// Literals of enumerations that imports give (specification 3.6, section
// 13.2.1).

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using ::testing::HasSubstr;

std::string With(const std::string& import, const std::string& value) {
  return "package P\n  package R\n"
         "    type Init = enumeration(Free, Fixed, Steady);\n  end R;\n"
         "  model M\n    import " +
         import + ";\n    parameter P.R.Init i = " + value +
         ";\n    parameter Real p[Integer(i)] = ones(2);\n  end M;\nend P;\n";
}

TEST(ImportTest, ALiteralIsImportedByItsName) {
  EXPECT_THAT(DumpOf(With("P.R.Init.Fixed", "Fixed"), "P.M"),
              HasSubstr("p[2]"));
}

TEST(ImportTest, ALiteralIsImportedByAnotherName) {
  EXPECT_THAT(DumpOf(With("F = P.R.Init.Fixed", "F"), "P.M"),
              HasSubstr("p[2]"));
}

TEST(ImportTest, LiteralsAreImportedByAList) {
  EXPECT_THAT(DumpOf(With("P.R.Init.{Free, Fixed}", "Fixed"), "P.M"),
              HasSubstr("p[2]"));
}

TEST(ImportTest, AllLiteralsAreImported) {
  EXPECT_THAT(DumpOf(With("P.R.Init.*", "Fixed"), "P.M"), HasSubstr("p[2]"));
}

TEST(ImportTest, ALiteralIsNoType) {
  EXPECT_THAT(ErrorsOf("package P\n  type E = enumeration(a, b);\n"
                       "  model M\n    import P.E.a;\n    a x;\n  end M;\n"
                       "end P;\n",
                       "P.M"),
              HasSubstr("'a' is not a class: it is a literal of P.E"));
}

}  // namespace
}  // namespace orrery::modelica
