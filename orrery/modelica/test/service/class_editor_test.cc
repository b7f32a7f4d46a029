#include "orrery/modelica/text_edits/class_editor.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/modelica/test/service/service_fixture.h"

namespace orrery::modelica {
namespace {

using ::testing::HasSubstr;

template <typename Step>
std::string After(const std::string& text, const Step& step) {
  OneText its(text);
  ClassEditor editor(*its.document(), "M");
  step(editor);
  EXPECT_EQ(Edited(text, editor.edits()), editor.text());
  return editor.text();
}

constexpr const char* kCircuit =
    "model M \"Two parts\"\n"
    "  R a(R=1) \"first\" annotation(Placement(transformation(extent={{-10, "
    "0},{10, 20}})));  // stays\n"
    "  R b annotation (Placement(transformation(origin={40,10}, extent = "
    "{{-10,-10},{10,10}})));\n"
    "equation\n"
    "  connect(a.n, b.p) annotation(Line(points={{10,10},{30,10}}));\n"
    "end M;\n";

TEST(ClassEditorTest, MovesTheExtentOfWhoWroteOne) {
  const std::string moved = After(kCircuit, [](ClassEditor& editor) {
    editor.Move({"a"}, {.x = 0, .y = 30}, false);
  });
  EXPECT_THAT(moved, HasSubstr("extent={{-10, 30},{10, 50}}"));
  EXPECT_THAT(moved, HasSubstr("// stays"));
}

TEST(ClassEditorTest, MovesTheOriginOfWhoWroteOne) {
  const std::string moved = After(kCircuit, [](ClassEditor& editor) {
    editor.Move({"b"}, {.x = 10, .y = -4}, false);
  });
  EXPECT_THAT(moved, HasSubstr("origin={50,6}, extent = {{-10,-10},{10,10}}"));
}

TEST(ClassEditorTest, BendsALineOfWhichOneEndMoves) {
  const std::string moved = After(kCircuit, [](ClassEditor& editor) {
    editor.Move({"b"}, {.x = 0, .y = 20}, false);
  });
  EXPECT_THAT(moved, HasSubstr("points={{10,10},{20,10},{20,30},{30,30}}"));
}

TEST(ClassEditorTest, MovesTheExtentOfATurnedPartInItsOwnFrame) {
  const std::string text =
      "model M\n  R a annotation(Placement(transformation(extent={{0,0},{20,20"
      "}}, rotation=90)));\nend M;\n";
  EXPECT_THAT(After(text,
                    [](ClassEditor& editor) {
                      editor.Move({"a"}, {.x = 5, .y = 7}, false);
                    }),
              HasSubstr("extent={{7,-5},{27,15}}, rotation=90"));
}

TEST(ClassEditorTest, BendsALineThatGoesStraightOn) {
  const std::string text =
      "model M\n  R a annotation(Placement(transformation(extent={{0,0},{20,20"
      "}})));\nequation\n  connect(a.n, b.p) annotation(Line(points={{20,10},{"
      "30,10},{90,10}}));\nend M;\n";
  EXPECT_THAT(After(text,
                    [](ClassEditor& editor) {
                      editor.Move({"a"}, {.x = 0, .y = 5}, false);
                    }),
              HasSubstr("points={{20,15},{30,15},{30,10},{90,10}}"));
  EXPECT_EQ(After(text,
                  [](ClassEditor& editor) {
                    editor.Move({"a"}, {.x = 0, .y = 5}, false);
                    editor.Move({"a"}, {.x = 0, .y = -5}, false);
                  }),
            text);
}

TEST(ClassEditorTest, MovesALineBetweenMovedParts) {
  const std::string moved = After(kCircuit, [](ClassEditor& editor) {
    editor.Move({"a", "b"}, {.x = 5, .y = 5}, false);
  });
  EXPECT_THAT(moved, HasSubstr("points={{15,15},{35,15}}"));
}

TEST(ClassEditorTest, ComesBackToTheSameBytes) {
  const std::string back = After(kCircuit, [](ClassEditor& editor) {
    editor.Move({"a", "b"}, {.x = 12.5, .y = 30}, false);
    editor.Move({"a", "b"}, {.x = -12.5, .y = -30}, false);
  });
  EXPECT_EQ(back, kCircuit);
}

TEST(ClassEditorTest, TurnsAPartAboutItsMiddle) {
  const std::string turned = After(
      kCircuit, [](ClassEditor& editor) { editor.Rotate({"a"}, 90, false); });
  EXPECT_THAT(turned,
              HasSubstr("extent={{-10, -10},{10, 10}}, origin={0,10}, "
                        "rotation=90"));
}

TEST(ClassEditorTest, AddsADeclarationBehindTheLastOne) {
  const std::string added = After(kCircuit, [](ClassEditor& editor) {
    EXPECT_EQ(editor.AddComponent({.type = "Lib.Resistor",
                                   .place = {.origin = {.x = 0, .y = 50}},
                                   .modifiers = "R=2"}),
              "resistor");
  });
  EXPECT_THAT(added,
              HasSubstr("{10,10}})));\n  Lib.Resistor resistor(R=2) "
                        "annotation(Placement(transformation(extent={{-10,-10},"
                        "{10,10}}, origin={0,50})));\nequation\n"));
}

TEST(ClassEditorTest, NumbersNamesThatAreTaken) {
  After("model M\n  Resistor resistor;\nend M;\n", [](ClassEditor& editor) {
    EXPECT_EQ(editor.AddComponent({.type = "Resistor"}), "resistor1");
    EXPECT_EQ(editor.AddComponent({.type = "A.PID"}), "pid");
    EXPECT_EQ(editor.AddComponent({.type = "A.RCNet"}), "rcNet");
  });
}

TEST(ClassEditorTest, MakesTheSectionOfAConnection) {
  EXPECT_EQ(After("model M\n  A a;\n  annotation(Icon());\nend M;\n",
                  [](ClassEditor& editor) {
                    editor.Connect({.from = "a.p", .to = "a.n"},
                                   {{.x = 0, .y = 0}, {.x = 1.5, .y = 0}},
                                   Colour{0, 0, 255});
                  }),
            "model M\n  A a;\nequation\n  connect(a.p, a.n) "
            "annotation(Line(points={{0,0},{1.5,0}}, color={0,0,255}));\n"
            "  annotation(Icon());\nend M;\n");
}

TEST(ClassEditorTest, KeepsLineEndsOfDos) {
  EXPECT_EQ(After("model M\r\n    A a;\r\nequation\r\n    a.x = 1;\r\n"
                  "end M;\r\n",
                  [](ClassEditor& editor) {
                    editor.Connect({.from = "a.p", .to = "a.n"}, {}, {});
                  }),
            "model M\r\n    A a;\r\nequation\r\n    a.x = 1;\r\n"
            "    connect(a.p, a.n);\r\nend M;\r\n");
}

TEST(ClassEditorTest, TakesAwayALineItsCommentAndConnections) {
  EXPECT_EQ(After(kCircuit,
                  [](ClassEditor& editor) { editor.RemoveComponents({"a"}); }),
            "model M \"Two parts\"\n"
            "  R b annotation (Placement(transformation(origin={40,10}, "
            "extent = {{-10,-10},{10,10}})));\n"
            "equation\nend M;\n");
}

TEST(ClassEditorTest, TakesAwayOneNameOfSeveral) {
  const auto without = [](const std::string& name) {
    return After("model M\n  // kept\n  Real a, b = 2, c;\nend M;\n",
                 [&](ClassEditor& editor) { editor.RemoveComponents({name}); });
  };
  EXPECT_THAT(without("a"), HasSubstr("// kept\n  Real b = 2, c;"));
  EXPECT_THAT(without("b"), HasSubstr("Real a, c;"));
  EXPECT_THAT(without("c"), HasSubstr("Real a, b = 2;"));
}

TEST(ClassEditorTest, SetsAndClearsModifiers) {
  const auto set = [](const std::string& text,
                      const std::vector<std::string>& path,
                      const std::optional<std::string>& value) {
    return After("model M\n  " + text + "\nend M;\n", [&](ClassEditor& editor) {
      editor.SetModifier("a", path, value);
    });
  };
  EXPECT_THAT(set("R a;", {"R"}, "15"), HasSubstr("R a(R=15);"));
  EXPECT_THAT(set("R a[3];", {"R"}, "15"), HasSubstr("R a[3](R=15);"));
  EXPECT_THAT(set("R a(R = 1, T=2);", {"R"}, "15"),
              HasSubstr("R a(R = 15, T=2);"));
  EXPECT_THAT(set("R a(R = 1, T=2);", {"R"}, {}), HasSubstr("R a(T=2);"));
  EXPECT_THAT(set("R a(R = 1);", {"R"}, {}), HasSubstr("R a;"));
  EXPECT_THAT(set("R a(x(start=1, y=2));", {"x", "start"}, {}),
              HasSubstr("R a(x(y=2));"));
  EXPECT_THAT(set("R a(x(start=1), z=2);", {"x", "start"}, {}),
              HasSubstr("R a(z=2);"));
  EXPECT_THAT(set("R a(x.start=1);", {"x", "start"}, "3"),
              HasSubstr("R a(x.start=3);"));
  EXPECT_THAT(set("R a(x=1);", {"x", "start"}, "3"),
              HasSubstr("R a(x(start=3)=1);"));
}

TEST(ClassEditorTest, SetsTheValueOfAParameterOfTheClass) {
  const auto set = [](const std::string& text,
                      const std::optional<std::string>& value) {
    return After(
        "model M\n  parameter Real " + text + "\nend M;\n",
        [&](ClassEditor& editor) { editor.SetModifier("", {"k"}, value); });
  };
  EXPECT_THAT(set("k;", "5"), HasSubstr("Real k = 5;"));
  EXPECT_THAT(set("k(unit=\"m\") = 4 \"d\";", "5"),
              HasSubstr("Real k(unit=\"m\") = 5 \"d\";"));
  EXPECT_THAT(set("k = 4 \"d\";", {}), HasSubstr("Real k \"d\";"));
}

TEST(ClassEditorTest, RefusesWhatWouldBreakTheText) {
  OneText its("model M\n  R a;\nend M;\n");
  ClassEditor editor(*its.document(), "M");
  EXPECT_THROW(editor.SetModifier("a", {"R"}, "1 +"), Error);
  EXPECT_THROW(editor.SetModifier("b", {"R"}, "1"), Error);
  EXPECT_THROW(editor.AddComponent({.type = "A", .name = "a"}), Error);
  EXPECT_TRUE(editor.edits().empty());
}

TEST(ClassEditorTest, SetsAnnotationsOfTheClass) {
  EXPECT_EQ(
      After("model M\n  R a;\nend M;\n",
            [](ClassEditor& editor) {
              editor.SetAnnotation("", {"Documentation", "info"}, "\"x\"");
            }),
      "model M\n  R a;\n  annotation(Documentation(info=\"x\"));\n"
      "end M;\n");
  EXPECT_THAT(
      After("model M\n  annotation(Documentation(info=\"x\"));\n"
            "end M;\n",
            [](ClassEditor& editor) {
              editor.SetAnnotation("", {"Documentation", "info"}, "\"y\"");
            }),
      HasSubstr("Documentation(info=\"y\")"));
}

TEST(ClassEditorTest, CopiesAPartBesideIt) {
  const std::string copied = After(kCircuit, [](ClassEditor& editor) {
    EXPECT_EQ(editor.Duplicate("a", {.x = 10, .y = -10}), "a1");
  });
  EXPECT_THAT(copied,
              HasSubstr("// stays\n  R a1(R=1) \"first\" annotation(Placement("
                        "transformation(extent={{0, -10},{20, 10}})));\n"));
}

TEST(ClassEditorTest, AddsBasesAndClasses) {
  EXPECT_EQ(After("model M \"d\"\nend M;\n",
                  [](ClassEditor& editor) {
                    editor.AddExtends("Base");
                    editor.AddExtends("Other");
                    editor.AddClass("record", "Data", "");
                  }),
            "model M \"d\"\n  record Data\n  end Data;\n  extends Base;\n"
            "  extends Other;\nend M;\n");
}

}  // namespace
}  // namespace orrery::modelica
