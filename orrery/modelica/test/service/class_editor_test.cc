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

TEST(ClassEditorTest, AddsNoExtentThatStaysAsItIs) {
  const std::string text =
      "model M\n  R a annotation(Placement(transformation(origin={40,0})));\n"
      "end M;\n";
  EXPECT_THAT(After(text,
                    [](ClassEditor& editor) {
                      editor.Move({"a"}, {.x = 2, .y = 0}, false);
                    }),
              HasSubstr("transformation(origin={42,0})"));
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

// A part whose line has these points, moved there and back.
std::string LineAfterReturn(const std::string& points) {
  const std::string text =
      "model M\n  R a annotation(Placement(transformation(extent={{-9,-9},{9,9"
      "}})));\n  R b;\nequation\n  connect(a.n, b.p) annotation (Line(points=" +
      points + ", color={0,0,255}));\nend M;\n";
  const std::string back = After(text, [](ClassEditor& editor) {
    editor.Move({"a"}, {.x = 7, .y = -3.5}, false);
    editor.Move({"a"}, {.x = -7, .y = 3.5}, false);
  });
  const std::size_t begin = back.find("points=") + 7;
  return back.substr(begin, back.find(", color") - begin);
}

TEST(ClassEditorTest, BringsALineBackToItsBytes) {
  for (const std::string points : {
           "{{5.55112e-16,-49},{0,-42}}",    // Noise of another tool.
           "{{10,0},{\n          100,0}}",   // Lines within the list.
           "{{10,0},{35,0},{35,0},{70,0}}",  // A bend without a height.
           "{{-10,-40},{-10,-60},{-10,-60},{-10,-80},{0,-80}}",
           "{{10,0},{39,0},{68,0}}",  // A point in the middle.
           "{{-68,0},{-53.5,0},{-53.5,0},{-39,0},{-10,0}}",
           "{{0,0},{0,0}}",
           "{{ 1, 2 }}",
       }) {
    EXPECT_EQ(LineAfterReturn(points), points);
  }
}

TEST(ClassEditorTest, AddsTheNewPointsOfALineOnly) {
  const std::string text =
      "model M\n  R a annotation(Placement(transformation(extent={{0,0},{20,20"
      "}})));\nequation\n  connect(a.n, b.p) annotation(Line(points={{20, 10}, "
      "/* far */ {90, 10}}));\nend M;\n";
  EXPECT_THAT(
      After(text,
            [](ClassEditor& editor) {
              editor.Move({"a"}, {.x = 0, .y = 5}, false);
            }),
      HasSubstr("points={{20, 15},{55,15},{55,10}, /* far */ {90, 10}}"));
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
    EXPECT_EQ(editor.AddComponent({.type = "Logical.And"}), "and1");
    EXPECT_EQ(editor.AddComponent({.type = "Logical.Not"}), "not1");
    EXPECT_EQ(editor.AddComponent({.type = "A.Time"}), "time1");
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

TEST(ClassEditorTest, NestsArgumentsThatAnAnnotationLacks) {
  const auto set = [](const std::string& annotation) {
    return After("model M\n  annotation(" + annotation + ");\nend M;\n",
                 [](ClassEditor& editor) {
                   editor.SetAnnotation("", {"Documentation", "info"}, "\"y\"");
                 });
  };
  EXPECT_THAT(set("Icon()"),
              HasSubstr("annotation(Icon(), Documentation(info=\"y\"));"));
  EXPECT_THAT(set("Documentation(revisions=\"r\")"),
              HasSubstr("Documentation(revisions=\"r\", info=\"y\")"));
  EXPECT_THAT(set("Documentation"), HasSubstr("Documentation(info=\"y\")"));
}

TEST(ClassEditorTest, SaysWhatThePackageAtTheTopUses) {
  const auto use = [](const std::string& annotation) {
    OneText its("package P\n  model M\n  end M;\n" + annotation + "end P;\n");
    ClassEditor editor(*its.document(), "P.M");
    editor.AddUse("P", "Modelica", "4.1.0");
    return editor.text();
  };
  EXPECT_EQ(use(""),
            "package P\n  model M\n  end M;\n"
            "  annotation(uses(Modelica(version=\"4.1.0\")));\nend P;\n");
  EXPECT_THAT(use("  annotation(uses(Other(version=\"1\")));\n"),
              HasSubstr("uses(Other(version=\"1\"), "
                        "Modelica(version=\"4.1.0\"))"));
  EXPECT_THAT(use("  annotation(uses(Modelica(version=\"3.2.3\")));\n"),
              HasSubstr("annotation(uses(Modelica(version=\"3.2.3\")));"));
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
