// Arrays of Strings, which are known during translation, and the names of
// resources.

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/load.h"
#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using testing::HasSubstr;

// The value of `x` in a model with these declarations.
std::string XOf(const std::string& body) {
  const std::string dump = DumpOf("model A\n" + body + "end A;\n", "A");
  const std::size_t at = dump.find("\nx = ");
  return at == std::string::npos
             ? dump
             : dump.substr(at + 5, dump.find('\n', at + 1) - at - 5);
}

TEST(TextArraysTest, ElementsAreStringsLikeOthers) {
  EXPECT_EQ(XOf("  constant String c[3] = {\"a\", \"bb\", \"a\"};\n"
                "  parameter String p[2] = {c[1] + \"x\", c[2]};\n"
                "  parameter String m[2, 2] = [\"a\", \"b\"; \"c\", \"d\"];\n"
                "  Real x = if p[1] == \"ax\" and m[2, 1] == \"c\" and "
                "p[end] == \"bb\" then 5 else 6;\n"),
            "5");
}

TEST(TextArraysTest, VariablesMayHaveTheTextsOfTheirDeclarations) {
  EXPECT_EQ(
      XOf("  constant String c[2] = {\"a\", \"bb\"};\n"
          "  String v[:] = c;\n"
          "  String s = v[2] + \"c\";\n"
          "  Real x = if s == \"bbc\" and v[1] == \"a\" then 5 else 6;\n"),
      "5");
}

TEST(TextArraysTest, LoopsGoThroughThem) {
  EXPECT_EQ(
      XOf("  constant String c[3] = {\"a\", \"bb\", \"a\"};\n"
          "  Real x[3] = {if c[i] == \"a\" then 1 else 2 for i in 1:3};\n"),
      "{1, 2, 1}");
  EXPECT_EQ(XOf("  parameter String c[:] = {String(i) for i in 8:10};\n"
                "  Real x = size(c, 1) + (if c[3] == \"10\" then 1 else 0);\n"),
            "4");
}

TEST(TextArraysTest, LiteralsOfParametersAreTheirNames) {
  EXPECT_EQ(XOf("  type E = enumeration(a, b, c);\n"
                "  parameter E e = E.c;\n"
                "  parameter String s = String(e);\n"
                "  Real x = if s == \"c\" and String(e) > \"ab\" then 5 "
                "else 6;\n"),
            "5");
}

TEST(TextArraysTest, RecordsInArraysHaveNames) {
  EXPECT_EQ(XOf("  record R\n"
                "    parameter String name = \"none\";\n"
                "    parameter Real k = 1;\n"
                "  end R;\n"
                "  R r[:] = {R(\"w\", 3), R(name = \"z\", k = 4)};\n"
                "  R s[2](name = {\"u\", \"v\"}, each k = 7);\n"
                "  Real x = if r[2].name == \"z\" and s[1].name == \"u\" and "
                "s[2].name == \"v\" then 5 else 6;\n"),
            "5");
}

TEST(TextArraysTest, AllElementsMayBeGivenAlike) {
  EXPECT_EQ(XOf("  model B\n"
                "    parameter String n[2] = fill(\"q\", 2);\n"
                "    parameter String none[:] = fill(\"\", 0);\n"
                "    Real y = if n[2] == \"q\" then 1 else 2;\n"
                "  end B;\n"
                "  B a, b(each n = \"r\");\n"
                "  Real x = size(a.none, 1) + (if a.n[1] == \"q\" and "
                "b.n[2] == \"r\" then 5 else 6);\n"),
            "5");
}

TEST(TextArraysTest, FunctionsTakeThem) {
  const std::string count =
      "  function count\n"
      "    input String names[:];\n"
      "    input String what;\n"
      "    output Integer n = 0;\n"
      "  algorithm\n"
      "    for s in names loop\n"
      "      if s == what then\n"
      "        n := n + 1;\n"
      "      end if;\n"
      "    end for;\n"
      "  end count;\n"
      "  constant String c[3] = {\"a\", \"bb\", \"a\"};\n"
      "  constant Integer n[2] = {count(c, \"a\"), count(c[2:3], \"a\")};\n";
  EXPECT_EQ(XOf(count + "  Real x[2] = n;\n"), "{2, 1}");
}

TEST(TextArraysTest, TheyAreNoNumbers) {
  EXPECT_THAT(ErrorsOf("model A\n"
                       "  parameter String c[2] = {\"a\", \"b\"};\n"
                       "  Real x[2] = c;\n"
                       "end A;\n"),
              HasSubstr("'x' is Real[2], its value String[2]"));
  EXPECT_THAT(ErrorsOf("model A\n"
                       "  parameter String c[2] = {\"a\", 1};\n"
                       "  Real x = if c[1] == \"a\" then 1 else 2;\n"
                       "end A;\n"),
              HasSubstr("an array has elements of one type, not String and "
                        "Integer"));
}

// A replacement of the library: its functions are known by name.
constexpr const char* kModelica =
    "within;\n"
    "package Modelica\n"
    "  package Utilities\n"
    "    package Files\n"
    "      function loadResource\n"
    "        input String uri;\n"
    "        output String fileReference;\n"
    "        external \"C\" fileReference = f(uri);\n"
    "      end loadResource;\n"
    "    end Files;\n"
    "  end Utilities;\n"
    "end Modelica;\n";

std::string DumpOfResource(const std::string& uri, const std::string& wanted) {
  FileSet files(FileSet::Others::kNowhere);
  files.Add(std::make_shared<const SourceFile>("m/Modelica/package.mo",
                                               std::string(kModelica)));
  files.Add(std::make_shared<const SourceFile>(
      "m/M.mo",
      "model M\n  constant String f = "
      "Modelica.Utilities.Files.loadResource(\"" +
          uri + "\");\n  Real x = if f == \"" + wanted +
          "\" then 1 else 2;\nend M;\n"));
  Diagnostics diagnostics;
  const auto flat =
      Flatten({files.Read("m/M.mo")}, std::string(), diagnostics, {}, files);
  return flat ? Dump(*flat) : Render(diagnostics.list());
}

TEST(TextArraysTest, AResourceIsBelowTheFolderOfItsLibrary) {
  EXPECT_THAT(DumpOfResource("modelica://Modelica/Resources/a.txt",
                             "m/Modelica/Resources/a.txt"),
              HasSubstr("x = 1"));
  EXPECT_THAT(DumpOfResource("file:///data/a.txt", "/data/a.txt"),
              HasSubstr("x = 1"));
  EXPECT_THAT(DumpOfResource("a.txt", "a.txt"), HasSubstr("x = 1"));
  EXPECT_THAT(
      DumpOfResource("modelica://Other/a.txt", ""),
      AllOf(HasSubstr("cannot find 'modelica://Other/a.txt': no file has the "
                      "class 'Other'"),
            HasSubstr("MODELICAPATH")));
}

}  // namespace
}  // namespace orrery::modelica
