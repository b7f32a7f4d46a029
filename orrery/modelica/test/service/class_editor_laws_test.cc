#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/modelica/test/service/service_fixture.h"
#include "orrery/modelica/text_edits/class_editor.h"
#include "orrery/syntax/unparse.h"

namespace orrery::modelica {
namespace {

// A class with parts, comments and layouts of all kinds.
std::string AnyClass(const std::vector<int>& layout) {
  std::string text = "model M // c\n";
  std::string connections;
  int number = 0;
  for (const int kind : layout) {
    const std::string name = "p" + std::to_string(number++);
    const std::string x = std::to_string(kind * 7 % 60 - 30);
    switch (kind % 5) {
      case 0:
        text += "  R " + name +
                " annotation(Placement(transformation(extent={{" + x +
                ",-10},{20,10}}))); // one\n";
        break;
      case 1:
        text += "\tR  " + name +
                "(k = 1 /* two */) \"d\" annotation (Placement("
                "transformation(origin = {" +
                x +
                ", 4.5},extent={{-10,-10},{10,"
                "10}},rotation=-90)));\n";
        break;
      case 2:
        text += "  R " + name + ";  R q" + name + ";\n";
        break;
      case 3:
        text +=
            "  // three\n  R " + name + ", r" + name + "(k=2) \"\u00f6\";\n";
        break;
      default:
        text += "  R " + name + "\n    annotation(Dialog(tab=\"t\"));\r\n";
        break;
    }
    if (number > 1) {
      connections += "  connect(p" + std::to_string(number - 2) + ".n, " +
                     name + ".p) annotation(Line(points={{0,0},{0," + x +
                     "},{8," + x + "}}, color={0,0,255}));\n";
    }
  }
  return text + (connections.empty() ? "" : "equation\n") + connections +
         "end M;\n";
}

std::vector<int> Layout() {
  return *rc::gen::nonEmpty(
      rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 30)));
}

std::string TreeOf(const std::string& text) {
  OneText its(text);
  EXPECT_TRUE(its.document()->findings().empty()) << text;
  return Unparse(its.document()->tree());
}

RC_GTEST_PROP(ClassEditorLaws, MovingThereAndBackGivesTheSameBytes, ()) {
  const std::vector<int> layout = Layout();
  const std::string text = AnyClass(layout);
  const auto part = *rc::gen::inRange<std::size_t>(0, layout.size());
  const std::string name = "p" + std::to_string(part);
  RC_PRE(layout[part] % 5 < 2);  // It has a place.
  // Quarters: no end of a line comes to lie on another point of it.
  const Point by = {.x = *rc::gen::inRange(-40, 40) * 0.5 + 0.25,
                    .y = *rc::gen::inRange(-40, 40) * 0.5 + 0.25};
  OneText its(text);
  ClassEditor editor(*its.document(), "M");
  editor.Move({name}, by, false);
  RC_ASSERT(Edited(text, editor.edits()) == editor.text());
  editor.Move({name}, {.x = -by.x, .y = -by.y}, false);
  RC_ASSERT(editor.text() == text);
  RC_ASSERT(editor.edits().empty());
}

// Points of a line as other tools leave them: bends without a height, points
// in the middle of a segment, noise, lines within the list.
std::string AnyPoints() {
  std::string text = "{{0,0}";
  const int count = *rc::gen::inRange(1, 7);
  for (int i = 0; i < count; ++i) {
    const std::string x = *rc::gen::element<std::string>(
        "0", "5", "-10", "10.0", "1e1", "5.55112e-16", "-3.55271e-15");
    const std::string y =
        *rc::gen::element<std::string>("0", "5", "2.5", "-3.5", "+1");
    const std::string gap =
        *rc::gen::element<std::string>(",", ", ", ",\n      ", " , ");
    text += gap + "{" + x + gap + y + "}";
  }
  return text + "}";
}

RC_GTEST_PROP(ClassEditorLaws, ALineOfAnyPointsComesBackToItsBytes, ()) {
  const std::string text =
      "model M\n  R a annotation(Placement(transformation(extent={{-9,1e-17},{"
      "9,9}})));\n  R b annotation(Placement(transformation(origin={40,0})));\n"
      "equation\n  connect(a.n, b.p) annotation(Line(points=" +
      AnyPoints() + "));\nend M;\n";
  OneText its(text);
  ClassEditor editor(*its.document(), "M");
  const auto any = [] {
    return Point{.x = *rc::gen::inRange(-20, 20) * 0.5,
                 .y = *rc::gen::inRange(-20, 20) * 0.25};
  };
  const Point first = any();
  const Point second = any();
  const Point third = any();
  editor.Move({"a"}, first, false);
  editor.Move({"b"}, second, false);
  editor.Move({"a", "b"}, third, false);
  editor.Move({"a"}, {.x = -first.x - third.x, .y = -first.y - third.y}, false);
  editor.Move(
      {"b"}, {.x = -second.x - third.x, .y = -second.y - third.y}, false);
  RC_ASSERT(editor.text() == text);
}

RC_GTEST_PROP(ClassEditorLaws, AddingAndRemovingAPartGivesTheSameTree, ()) {
  const std::string text = AnyClass(Layout());
  OneText its(text);
  ClassEditor editor(*its.document(), "M");
  const std::string name = editor.AddComponent({.type = "Lib.Part"});
  editor.Connect({.from = name + ".a", .to = "p0.b"},
                 {{.x = 1, .y = 2}, {.x = 3, .y = 4}},
                 {});
  (void)TreeOf(editor.text());
  editor.RemoveComponents({name});
  // An empty section of equations may stay.
  std::string left = TreeOf(editor.text());
  std::string first = TreeOf(text);
  for (std::string* const tree : {&left, &first}) {
    const std::string empty = "equation\nend M;";
    const std::size_t at = tree->find(empty);
    if (at != std::string::npos) {
      tree->replace(at, empty.size(), "end M;");
    }
  }
  RC_ASSERT(left == first);
}

RC_GTEST_PROP(ClassEditorLaws, SettingAModifierChangesItAlone, ()) {
  const std::vector<int> layout = Layout();
  const std::string text = AnyClass(layout);
  const std::string name =
      "p" + std::to_string(*rc::gen::inRange<std::size_t>(0, layout.size()));
  OneText its(text);
  ClassEditor editor(*its.document(), "M");
  editor.SetModifier(name, {"zz"}, "12345");
  RC_ASSERT(editor.text().find("12345") != std::string::npos);
  RC_ASSERT(editor.edits().size() == 1U);
  editor.SetModifier(name, {"zz"}, std::nullopt);
  RC_ASSERT(editor.text() == text);
}

RC_GTEST_PROP(ClassEditorLaws, FourQuarterTurnsKeepThePlace, ()) {
  const std::vector<int> layout = Layout();
  const std::string text = AnyClass(layout);
  const auto part = *rc::gen::inRange<std::size_t>(0, layout.size());
  RC_PRE(layout[part] % 5 == 1);  // It has an origin and a rotation.
  OneText its(text);
  ClassEditor editor(*its.document(), "M");
  for (int i = 0; i < 4; ++i) {
    editor.Rotate({"p" + std::to_string(part)}, 90, false);
  }
  RC_ASSERT(editor.text() == text);
}

}  // namespace
}  // namespace orrery::modelica
