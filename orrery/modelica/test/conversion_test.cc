// Texts written for an older version of a library, which are converted in
// memory (specification 3.6, section 18.8.2).

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/load.h"
#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kScript = R"(// From 1 to 2
convertClass("Lib.Old", "Lib.New");
convertClass("Lib.Units", "Lib.Types.SI");
convertClass("Lib.Units.Tools",
             "Lib.Tools");
convertClass({"Lib.Left", "Lib.Right"}, "Lib.Both");
convertClass("Lib.Gone.Part", "Lib.New");
convertClass("Lib.Gone.Deep.Part", "Lib.Both");
convertClass("Lib.Mode.last", "Lib.Kind.final_one");
convertClass("Lib.Mode", "Lib.Kind");
convertClass("Lib.Away", "Obsolete.Away");
convertMessage("Lib.Inner", "It was never for users.");
)";

// Version 2 of the library, with values from 21 on.
constexpr const char* kLibrary = R"(package Lib
  model New
    Real x = 21;
  end New;
  model Both
    Real x = 22;
  end Both;
  package Types
    package SI
      constant Real k = 23;
      type Length = Real(unit = "m");
    end SI;
  end Types;
  package Tools
    function f
      input Real u;
      output Real y = 2*u;
    end f;
  end Tools;
  type Kind = enumeration(first, final_one);
  annotation(version = "2.0.0", conversion(
    noneFromVersion = "1.9.0",
    from(version = {"1.0.0", "1.1.0"}, script = "modelica://Lib/Scripts/c.mos")));
end Lib;
)";

class ConversionTest : public ::testing::Test {
 protected:
  ConversionTest() { setenv("MODELICAPATH", "/lib", 1); }

  ~ConversionTest() override { unsetenv("MODELICAPATH"); }

  static FileSet Files(const std::string& text,
                       const std::string& library,
                       const std::string& script) {
    FileSet files(FileSet::Others::kNowhere);
    const auto add = [&](const std::string& name, const std::string& content) {
      files.Add(std::make_shared<const SourceFile>(name, content));
    };
    add("m/M.mo", text);
    add("/lib/Lib/package.mo", library);
    add("/lib/Lib/Scripts/c.mos", script);
    return files;
  }

  // The flat model, or the errors; then the warnings.
  static std::string Load(const std::string& text,
                          const std::string& library = kLibrary,
                          const std::string& script = kScript) {
    const FileSet files = Files(text, library, script);
    Diagnostics diagnostics;
    const auto flat =
        Flatten({files.Read("m/M.mo")}, "M", diagnostics, {}, files);
    return (flat ? Dump(*flat) : std::string()) + Render(diagnostics.list());
  }

  // A model with those elements that uses a version of the library.
  static std::string Model(const std::string& elements,
                           const std::string& version = "1.0.0") {
    return "model M\n" + elements + "\n  annotation(uses(Lib(version=\"" +
           version + "\")));\nend M;\n";
  }
};

// Classes -------------------------------------------------------------------

TEST_F(ConversionTest, AClassIsFoundByItsOldName) {
  EXPECT_THAT(Load(Model("  Lib.Old a;")), HasSubstr("a.x = 21"));
  EXPECT_THAT(Load(Model("  Lib.Left a;\n  Lib.Right b;")),
              AllOf(HasSubstr("a.x = 22"), HasSubstr("b.x = 22")));
  EXPECT_THAT(Load(Model("  extends Lib.Old;")), HasSubstr("x = 21"));
}

TEST_F(ConversionTest, ClassesOfARenamedPackageAreFound) {
  EXPECT_THAT(Load(Model("  Real x = Lib.Units.k;")), HasSubstr("x = 23"));
  EXPECT_THAT(Load(Model("  import SI = Lib.Units;\n  Real x = SI.k;")),
              HasSubstr("x = 23"));
  EXPECT_THAT(Load(Model("  import Lib.Units.*;\n  Length x = k;")),
              HasSubstr("x = 23"));
  EXPECT_THAT(Load(Model("  import Lib.Units.{Length, k};\n  Length x = k;")),
              HasSubstr("x = 23"));
}

TEST_F(ConversionTest, TheLongestRuleOfANameHolds) {
  EXPECT_THAT(Load(Model("  Real x = Lib.Units.Tools.f(4.0);")),
              HasSubstr("x = Lib.Tools.f(4)"));
  EXPECT_THAT(
      Load(Model("  import SI = Lib.Units;\n  Real x = SI.Tools.f(5.0);")),
      HasSubstr("x = Lib.Tools.f(5)"));
  EXPECT_THAT(Load(Model("  package U = Lib.Units;\n"
                         "  Real x = U.Tools.f(6.0);")),
              HasSubstr("x = Lib.Tools.f(6)"));
}

TEST_F(ConversionTest, AClassOfAPackageThatIsNoMoreIsFound) {
  EXPECT_THAT(Load(Model("  Lib.Gone.Part a;")), HasSubstr("a.x = 21"));
  EXPECT_THAT(Load(Model("  Lib.Gone.Deep.Part a;")), HasSubstr("a.x = 22"));
  EXPECT_THAT(Load(Model("  import Lib.Gone.Part;\n  Part a;")),
              HasSubstr("a.x = 21"));
  EXPECT_THAT(Load(Model("  Lib.Gone.Other a;")),
              HasSubstr("no class 'Gone' in Lib"));
}

TEST_F(ConversionTest, ALiteralIsFoundByItsOldName) {
  EXPECT_THAT(Load(Model("  parameter Lib.Mode m = Lib.Mode.last;")),
              HasSubstr("m = 2"));
  EXPECT_THAT(Load(Model("  parameter Lib.Mode m = Lib.Mode.first;")),
              HasSubstr("m = 1"));
  EXPECT_THAT(Load(Model("  import T = Lib.Mode;\n"
                         "  parameter Lib.Mode m = T.last;")),
              HasSubstr("m = 2"));
}

TEST_F(ConversionTest, OldNamesAreUnknownInTextsForTheNewVersion) {
  for (const char* const version : {"2.0.0", "1.9.0", "2.0.0+build.7"}) {
    EXPECT_THAT(Load(Model("  Lib.Old a;", version)),
                HasSubstr("no class 'Old' in Lib"))
        << version;
  }
}

TEST_F(ConversionTest, OldNamesAreUnknownInTheLibraryItself) {
  std::string library = kLibrary;
  library.replace(library.find("Real x = 21"), 0, "Lib.Left b; ");
  EXPECT_THAT(Load(Model("  Lib.Old a;"), library),
              HasSubstr("no class 'Left' in Lib"));
}

TEST_F(ConversionTest, ALibraryInTheFoldersIsConvertedByWhatItUses) {
  FileSet files = Files("model M\n  Plant.P p;\nend M;\n", kLibrary, kScript);
  files.Add(std::make_shared<const SourceFile>(
      "/lib/Plant/package.mo",
      "package Plant\n  annotation(uses(Lib(version = \"1.1.0\")));\n"
      "end Plant;\n"));
  files.Add(std::make_shared<const SourceFile>(
      "/lib/Plant/P.mo", "within Plant;\nmodel P\n  Lib.Old a;\nend P;\n"));
  Diagnostics diagnostics;
  const auto flat =
      Flatten({files.Read("m/M.mo")}, "M", diagnostics, {}, files);

  ASSERT_TRUE(flat) << Render(diagnostics.list());
  EXPECT_THAT(Dump(*flat), HasSubstr("p.a.x = 21"));
}

TEST_F(ConversionTest, ConversionsFollowEachOther) {
  const std::string library =
      "package Lib\n  model Last\n    Real x = 31;\n  end Last;\n"
      "  annotation(version = \"3\", conversion(\n"
      "    from(version = \"1\", to = \"2\", change = {\n"
      "      convertClass(\"Lib.First\", \"Lib.Second\")}),\n"
      "    from(version = {\"2\"}, change = {\n"
      "      convertClass(\"Lib.Second\", \"Lib.Last\")})));\n"
      "end Lib;\n";

  EXPECT_THAT(Load(Model("  Lib.First a;", "1"), library),
              HasSubstr("a.x = 31"));
  EXPECT_THAT(Load(Model("  Lib.Second a;", "2"), library),
              HasSubstr("a.x = 31"));
  EXPECT_THAT(Load(Model("  Lib.First a;", "2"), library),
              HasSubstr("no class 'First' in Lib"));
}

// Elements ------------------------------------------------------------------

// Version 2 of a library whose elements got other names.
constexpr const char* kElements = R"(package Lib
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Base
    parameter Real f = 1;
    Real y = f + 100;
    Pin p;
  equation
    p.v = y;
  end Base;
  model Sine
    extends Base;
    parameter Real gain = 1;
  end Sine;
  record Values
    Real r;
  end Values;
  function g
    input Real first;
    input Real second = 2;
    output Real y = 10*first + second;
  end g;
  annotation(version = "2.0", conversion(
    from(version = "1.0", script = "modelica://Lib/Scripts/c.mos")));
end Lib;
)";

constexpr const char* kElementScript = R"(
convertClass("Lib.Sinus", "Lib.Sine");
convertElement({"Lib.Base", "Lib.Other"}, "freqHz", "f");
convertElement("Lib.Base", {"out", "pin"}, {"y", "p"});
convertElement("Lib.Sinus", "amplitude", "gain");
convertElement("Lib.Values", "R", "r");
convertElement("Lib.g", "one", "first");
)";

std::string ElementModel(const std::string& elements,
                         const std::string& equations = "") {
  return "model M\n" + elements + "\n" + equations +
         "  annotation(uses(Lib(version=\"1.0\")));\nend M;\n";
}

TEST_F(ConversionTest, AModifierOfARenamedElementIsTaken) {
  const auto load = [](const std::string& elements) {
    return Load(ElementModel(elements), kElements, kElementScript);
  };

  EXPECT_THAT(load("  Lib.Base a(freqHz = 5);"), HasSubstr("a.f = 5"));
  EXPECT_THAT(load("  Lib.Sine a(freqHz = 6);"), HasSubstr("a.f = 6"));
  EXPECT_THAT(load("  extends Lib.Sine(freqHz = 7);"), HasSubstr(" f = 7"));
  EXPECT_THAT(load("  model S = Lib.Sine(freqHz = 8);\n  S a;"),
              HasSubstr("a.f = 8"));
  EXPECT_THAT(load("  model S = Lib.Sine(freqHz = 8);\n  S a(freqHz = 9);"),
              HasSubstr("a.f = 9"));
  EXPECT_THAT(load("  Lib.Sinus a(amplitude = 4, freqHz = 3);"),
              AllOf(HasSubstr("a.gain = 4"), HasSubstr("a.f = 3")));
}

TEST_F(ConversionTest, AModifierFromFurtherOutIsTaken) {
  EXPECT_THAT(Load("model M\n  model Part\n    Lib.Base b;\n  end Part;\n"
                   "  Part a(b(freqHz = 12));\n  Part c(b.freqHz = 13);\n"
                   "  Lib.Base d[2](freqHz = {14, 15});\n"
                   "  annotation(uses(Lib(version=\"1.0\")));\nend M;\n",
                   kElements,
                   kElementScript),
              AllOf(HasSubstr("a.b.f = 12"),
                    HasSubstr("c.b.f = 13"),
                    HasSubstr("d[1].f = 14"),
                    HasSubstr("d[2].f = 15")));
}

TEST_F(ConversionTest, AReferenceToARenamedElementIsTaken) {
  const auto load = [](const std::string& elements,
                       const std::string& equations = "") {
    return Load(ElementModel(elements, equations), kElements, kElementScript);
  };

  EXPECT_THAT(load("  Lib.Base a;\n  Real z = a.out;"), HasSubstr("z = a.y"));
  EXPECT_THAT(load("  Lib.Sine a[2];\n  Real z = sum(a.out);"),
              HasSubstr("z = sum({a[1].y, a[2].y}"));
  EXPECT_THAT(load("  extends Lib.Base;\n  Real z = 2*out;"),
              HasSubstr("z = 2*y"));
  EXPECT_THAT(load("  Lib.Base a, b;", "equation\n  connect(a.pin, b.pin);\n"),
              HasSubstr("connect a.p.v, b.p.v"));
}

TEST_F(ConversionTest, AnArgumentOfARenamedInputIsTaken) {
  const auto load = [](const std::string& elements) {
    return Load(ElementModel(elements), kElements, kElementScript);
  };

  EXPECT_THAT(load("  Real z = Lib.g(one = 3.0);"),
              HasSubstr("z = Lib.g(3, 2)"));
  EXPECT_THAT(load("  Lib.Values v = Lib.Values(R = 4.5);"),
              HasSubstr("v.r = 4.5"));
  EXPECT_THAT(load("  Real z = Lib.g(second = 1.0, one = 5.0);"),
              HasSubstr("z = Lib.g(5, 1)"));
}

TEST_F(ConversionTest, ANameThatNoRuleConvertsIsAnError) {
  EXPECT_THAT(
      Load(ElementModel("  Lib.Base a(freq = 5);"), kElements, kElementScript),
      HasSubstr("no element 'freq' in class Lib.Base"));
  EXPECT_THAT(Load(ElementModel("  Lib.Base a;\n  Real z = a.output_1;"),
                   kElements,
                   kElementScript),
              HasSubstr("no element 'output_1' in class Lib.Base"));
}

// Modifiers -----------------------------------------------------------------

constexpr const char* kModified = R"(package Lib
  model A
    parameter Real k = 1;
    parameter Real w = 2;
    parameter Boolean use = false;
  end A;
  model Hot
    extends A;
  end Hot;
  annotation(version = "2.0", conversion(
    from(version = "1.0", script = "modelica://Lib/Scripts/c.mos")));
end Lib;
)";

constexpr const char* kModifierScript = R"(
convertClass("Lib.Warm", "Lib.A");
convertModifiers("Lib.Warm", fill("", 0), {"use=true"});
convertModifiers("Lib.A", {"gain=3", "factor=4"}, {"k=%gain%*%factor%"}, true);
convertModifiers({"Lib.A"}, {"hide"}, {"use=not %hide%"});
convertModifiers({"Lib.A"}, {"limitsAtInit"}, fill("", 0), true);
convertModifiers({"Lib.A"}, {"omega"}, {"w=%omega%"});
)";

TEST_F(ConversionTest, AModifierIsReplacedAsTheRuleWrites) {
  const auto load = [](const std::string& elements) {
    return Load(ElementModel(elements), kModified, kModifierScript);
  };

  EXPECT_THAT(load("  Lib.A a(gain = 5, factor = 1 + 1);"),
              HasSubstr("a.k = 10"));
  EXPECT_THAT(load("  Lib.A a(gain = 5);"), HasSubstr("a.k = 20"));
  EXPECT_THAT(load("  Lib.A a(factor = 5);"), HasSubstr("a.k = 15"));
  EXPECT_THAT(load("  Lib.A a(hide = false);"), HasSubstr("a.use = true"));
  EXPECT_THAT(load("  extends Lib.A(omega = 6);"), HasSubstr(" w = 6"));
  EXPECT_THAT(load("  Lib.A a[2](omega = {6, 7});"),
              AllOf(HasSubstr("a[1].w = 6"), HasSubstr("a[2].w = 7")));
}

TEST_F(ConversionTest, AModifierOfARemovedElementIsLeftOut) {
  const auto load = [](const std::string& elements) {
    return Load(ElementModel(elements), kModified, kModifierScript);
  };

  EXPECT_THAT(load("  Lib.A a(limitsAtInit = true, k = 8);"),
              HasSubstr("a.k = 8"));
  EXPECT_THAT(load("  Lib.Hot a(limitsAtInit = true, k = 9);"),
              HasSubstr("a.k = 9"));
  EXPECT_THAT(load("  extends Lib.A(limitsAtInit = true, k = 7);"),
              HasSubstr(" k = 7"));
}

TEST_F(ConversionTest, AModifierIsAddedToOneOldClassOnly) {
  const auto load = [](const std::string& elements) {
    return Load(ElementModel(elements), kModified, kModifierScript);
  };

  EXPECT_THAT(load("  Lib.Warm a;"), HasSubstr("a.use = true"));
  EXPECT_THAT(load("  extends Lib.Warm;"), HasSubstr(" use = true"));
  EXPECT_THAT(load("  model W = Lib.Warm;\n  W a;"), HasSubstr("a.use = true"));
  EXPECT_THAT(load("  Lib.A a;"), HasSubstr("a.use = false"));
}

TEST_F(ConversionTest, AModifierChoosesTheClass) {
  const auto load = [](const std::string& elements) {
    return Load(ElementModel(elements + "\n  Integer n = integer(a.h);"),
                "package Lib\n  model Cold\n    Real h = 1;\n"
                "    parameter Integer kind = 0;\n  end Cold;\n"
                "  model Hot\n    Real h = 2;\n  end Hot;\n"
                "  annotation(version = \"2\", conversion(\n"
                "    from(version = \"1.0\", change = {\n"
                "      convertClassIf(\"Lib.Cold\", \"kind\", \"1\", "
                "\"Lib.Hot\")})));\nend Lib;\n");
  };

  EXPECT_THAT(load("  Lib.Cold a;"), HasSubstr("a.h = 1"));
  EXPECT_THAT(load("  Lib.Cold a(kind = 2);"), HasSubstr("a.h = 1"));
  EXPECT_THAT(load("  Lib.Cold a(kind = 1);"), HasSubstr("a.h = 2"));
}

// Messages ------------------------------------------------------------------

TEST_F(ConversionTest, AConversionIsToldOnceWithTheNumberOfNames) {
  EXPECT_THAT(
      Load(Model("  Lib.Left a;\n  Lib.Right b;\n  Lib.Left c;")),
      HasSubstr("warning: Lib 2.0.0 is taken for a text written for 1.0.0: 2 "
                "names were converted\n"));
  EXPECT_THAT(
      Load(Model("  Lib.Old a;", "1.1.0")),
      HasSubstr("warning: Lib 2.0.0 is taken for a text written for 1.1.0: 1 "
                "name was converted\n"));
  EXPECT_THAT(Load(Model("  Lib.New a;", "2.0.0")), Not(HasSubstr("warning")));
  EXPECT_THAT(Load(Model("  Lib.New a;", "1.9.0")), Not(HasSubstr("warning")));
}

TEST_F(ConversionTest, AVersionWithoutAConversionIsTold) {
  EXPECT_THAT(
      Load(Model("  Lib.New a;", "9.0")),
      AllOf(HasSubstr("a.x = 21"),
            HasSubstr("warning: this text uses Lib 9.0; Lib 2.0.0 is taken"),
            HasSubstr("that has no conversion for texts of version 9.0")));
}

TEST_F(ConversionTest, TheMessageOfAClassIsItsError) {
  EXPECT_THAT(
      Load(Model("  Lib.Inner a;")),
      AllOf(HasSubstr("error: cannot convert 'Lib.Inner' for Lib 2.0.0: "
                      "It was never for users."),
            HasSubstr("this text uses Lib 1.0.0")));
}

TEST_F(ConversionTest, AClassThatMovedToAMissingLibraryIsNamed) {
  EXPECT_THAT(Load(Model("  Lib.Away a;")),
              AllOf(HasSubstr("error: no class 'Away' in Lib"),
                    HasSubstr("it became 'Obsolete.Away', which is in no "
                              "folder")));
}

TEST_F(ConversionTest, CommandsOfAScriptMayEndWithTheirLines) {
  EXPECT_THAT(
      Load(Model("  Lib.Old a;\n  Lib.Left b;"),
           kLibrary,
           "// From 1 to 2\nconvertClass(\"Lib.Old\",\n  \"Lib.New\")\n\n"
           "convertModifiers(\"Lib.Both\", fill(\"\", 0), {\"c=(1)\"})\n"
           "convertClass({\"Lib.Left\"}, \"Lib.Both\")"),
      AllOf(HasSubstr("a.x = 21"),
            HasSubstr("b.x = 22"),
            Not(HasSubstr("cannot read"))));
}

TEST_F(ConversionTest, AScriptWithAnErrorIsTold) {
  EXPECT_THAT(Load(Model("  Lib.New a;"), kLibrary, "convertClass(\"Lib.Old\""),
              HasSubstr("warning: cannot read this script: "));
}

}  // namespace
}  // namespace orrery::modelica
