#include "orrery/modelica/scene/scene.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/modelica/scene/icon_svg.h"
#include "orrery/modelica/test/service/service_fixture.h"

namespace orrery::modelica {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kLibrary =
    "package P\n"
    "  connector Pin\n    Real v;\n    flow Real i;\n"
    "    annotation(Icon(graphics={Rectangle(extent={{-100,-100},{100,100}},\n"
    "      fillPattern=FillPattern.Solid, fillColor={0,0,255})}));\n"
    "  end Pin;\n"
    "  partial model OnePort\n"
    "    Pin p annotation(Placement(transformation(extent={{-110,-10},{-90,10}}"
    ")));\n"
    "    annotation(Icon(graphics={Line(points={{-90,0},{90,0}})}));\n"
    "  end OnePort;\n"
    "  model Resistor\n"
    "    extends OnePort;\n"
    "    parameter Real R = 100;\n"
    "    parameter Boolean useHeat = false;\n"
    "    Pin heat if useHeat annotation(Placement(transformation(extent={{-10,"
    "-110},{10,-90}})));\n"
    "    annotation(Icon(graphics={Rectangle(extent={{-70,30},{70,-30}}),\n"
    "      Text(extent={{-150,90},{150,50}}, textString=\"%name\"),\n"
    "      Text(extent={{-150,-50},{150,-90}}, textString=\"R=%R %%\"),\n"
    "      Line(visible=useHeat, points={{0,-100},{0,-30}})}));\n"
    "  end Resistor;\n"
    "  model Circuit\n"
    "    parameter Real big = 5;\n"
    "    Resistor R1(R=1500) annotation(Placement(transformation(\n"
    "      extent={{-10,-10},{10,10}}, rotation=90, origin={20,30})));\n"
    "    Resistor R2(R=big, useHeat=true) annotation(Placement(transformation("
    "extent={{30,-10},{50,10}})));\n"
    "  equation\n"
    "    connect(R1.p, R2.p) annotation(Line(points={{20,20},{30,0}}, "
    "color={0,0,255}));\n"
    "  end Circuit;\n"
    "end P;\n";

Scene SceneOf(const std::string& name, Layer layer = Layer::kDiagram) {
  OneText its(kLibrary);
  return MakeScene(its.workspace, *its.document(), name, layer);
}

TEST(SceneTest, PlacesComponents) {
  const Scene scene = SceneOf("P.Circuit");
  ASSERT_EQ(scene.components.size(), 2U);
  const SceneComponent& first = scene.components[0];
  EXPECT_EQ(first.name, "R1");
  EXPECT_EQ(first.type, "P.Resistor");
  ASSERT_TRUE(first.place);
  EXPECT_EQ(first.place->origin, (Point{.x = 20, .y = 30}));
  EXPECT_EQ(first.place->rotation, 90);
  EXPECT_EQ(first.inherited, "");
}

TEST(SceneTest, FillsTextsWithNamesAndValues) {
  const Scene scene = SceneOf("P.Circuit");
  ASSERT_EQ(scene.components[0].texts.size(), 2U);
  EXPECT_EQ(scene.components[0].texts[0].text, "R1");
  EXPECT_EQ(scene.components[0].texts[1].text, "R=1500 %");
  EXPECT_EQ(scene.components[1].texts[1].text, "R=big %");
}

TEST(SceneTest, DrawsBasesFirstAndHiddenThingsNever) {
  const Scene scene = SceneOf("P.Circuit");
  const Icon& plain = scene.icons.at(scene.components[0].icon);
  ASSERT_EQ(plain.graphics.size(), 4U);
  EXPECT_EQ(plain.graphics[0].kind, Graphic::Kind::kLine);
  EXPECT_EQ(plain.graphics[0].inherited, "P.OnePort");
  const Icon& heated = scene.icons.at(scene.components[1].icon);
  EXPECT_EQ(heated.graphics.size(), 5U);
}

TEST(SceneTest, ShowsAConditionalPortWhereItsConditionHolds) {
  const Scene scene = SceneOf("P.Circuit");
  EXPECT_EQ(scene.components[0].ports.size(), 1U);
  ASSERT_EQ(scene.components[1].ports.size(), 2U);
  EXPECT_EQ(scene.components[1].ports[1].name, "heat");
  EXPECT_TRUE(scene.components[1].ports[1].is_flow);
}

TEST(SceneTest, SharesIconsOfEqualContent) {
  OneText its("model M\n  Modelica.Blocks.Math.Gain a(k=1), b(k=1);\nend M;\n");
  const Scene scene =
      MakeScene(its.workspace, *its.document(), "M", Layer::kDiagram);
  ASSERT_EQ(scene.components.size(), 2U);
  EXPECT_EQ(scene.components[0].icon, scene.components[1].icon);
  EXPECT_FALSE(scene.components[0].place);
}

TEST(SceneTest, GivesConnectionsWithTheirLines) {
  const Scene scene = SceneOf("P.Circuit");
  ASSERT_EQ(scene.connections.size(), 1U);
  EXPECT_EQ(scene.connections[0].from, "R1.p");
  ASSERT_TRUE(scene.connections[0].line);
  EXPECT_THAT(scene.connections[0].line->points,
              ElementsAre(Point{.x = 20, .y = 20}, Point{.x = 30, .y = 0}));
  EXPECT_EQ(scene.connections[0].line->line_colour, (Colour{0, 0, 255}));
}

TEST(SceneTest, ShowsOnlyConnectorsInIcons) {
  const Scene scene = SceneOf("P.Resistor", Layer::kIcon);
  ASSERT_EQ(scene.components.size(), 2U);
  EXPECT_EQ(scene.components[0].name, "p");
  EXPECT_EQ(scene.components[0].inherited, "P.OnePort");
  EXPECT_FALSE(scene.components[1].is_present);
}

TEST(SceneTest, TellsOfAClassThatIsNotFound) {
  OneText its("model M\n  Nowhere.Part part;\nend M;\n");
  const Scene scene =
      MakeScene(its.workspace, *its.document(), "M", Layer::kDiagram);
  ASSERT_EQ(scene.components.size(), 1U);
  EXPECT_EQ(scene.components[0].icon, "");
  EXPECT_THAT(scene.notes,
              ElementsAre("no class 'Nowhere.Part' is known: 'part' is drawn "
                          "as a box"));
  EXPECT_THROW(
      (void)MakeScene(its.workspace, *its.document(), "N", Layer::kDiagram),
      Error);
}

TEST(SceneTest, CarriesWhatAResultChanges) {
  OneText its(
      "package P\n  block Lamp\n    input Boolean u;\n"
      "    annotation(Icon(graphics={\n"
      "      Line(points={{0,0},{1,1}}),\n"
      "      Ellipse(extent={{-1,-1},{1,1}},\n"
      "        fillColor=DynamicSelect({235,235,235},\n"
      "          if u then {0,255,0} else {235,235,235})),\n"
      "      Text(visible=DynamicSelect(false, u),\n"
      "        textString=DynamicSelect(\"off\", String(u)))}));\n"
      "  end Lamp;\n"
      "  model M\n    Lamp a annotation(Placement(transformation()));\n"
      "    Lamp b;\n  equation\n"
      "    connect(a.u, b.u) annotation(Line(points={{0,0},{1,0}},\n"
      "      color=DynamicSelect({1,2,3}, {4,5,6})));\n"
      "  end M;\nend P;\n");
  const Scene scene =
      MakeScene(its.workspace, *its.document(), "P.M", Layer::kDiagram);
  const Icon& icon = scene.icons.at(scene.components[0].icon);
  ASSERT_EQ(icon.graphics.size(), 3U);
  EXPECT_TRUE(icon.graphics[0].dynamic.empty());
  ASSERT_EQ(icon.graphics[1].dynamic.size(), 1U);
  EXPECT_EQ(icon.graphics[1].dynamic[0].field, "fillColor");
  EXPECT_EQ(icon.graphics[1].dynamic[0].text,
            "if u then {0,255,0} else {235,235,235}");
  EXPECT_EQ(icon.graphics[1].fill_colour, (Colour{235, 235, 235}));
  EXPECT_FALSE(icon.graphics[2].is_visible);
  EXPECT_EQ(icon.graphics[2].dynamic[1].text, "String(u)");
  const std::string svg = ToSvg(icon);
  EXPECT_THAT(svg, HasSubstr("<g data-dynamic=\"1\"><ellipse"));
  EXPECT_THAT(svg, HasSubstr("<g data-dynamic=\"2\" visibility=\"hidden\">"));
  ASSERT_TRUE(scene.connections[0].line);
  EXPECT_EQ(scene.connections[0].line->dynamic[0].text, "{4,5,6}");
}

TEST(IconSvgTest, TurnsTheYAxisAndCurvesThroughMiddles) {
  Icon icon;
  icon.graphics.push_back(
      {.kind = Graphic::Kind::kLine,
       .points = {{.x = 0, .y = 0}, {.x = 10, .y = 10}, {.x = 20, .y = 0}},
       .smooth = "Bezier"});
  EXPECT_EQ(ToSvg(icon),
            "<g><path d=\"M0,0L5,-5Q10,-10 15,-5L20,0\" fill=\"none\" "
            "stroke=\"#000000\" stroke-width=\"1\" "
            "vector-effect=\"non-scaling-stroke\"/></g>");
}

TEST(IconSvgTest, ThickLinesGrowWithTheIcon) {
  const auto line = [](double thickness) {
    Icon icon;
    icon.graphics.push_back({.kind = Graphic::Kind::kLine,
                             .points = {{.x = 0, .y = 0}, {.x = 9, .y = 0}},
                             .thickness = thickness});
    return ToSvg(icon);
  };

  EXPECT_THAT(line(5), HasSubstr("stroke-width=\"5\"/>"));
  EXPECT_THAT(line(1),
              HasSubstr("stroke-width=\"4\" "
                        "vector-effect=\"non-scaling-stroke\"/>"));
}

TEST(IconSvgTest, EscapesTexts) {
  Icon icon;
  icon.graphics.push_back(
      {.kind = Graphic::Kind::kText,
       .extent = {.first = {.x = -10, .y = -5}, .second = {.x = 10, .y = 5}},
       .text = "<script>&"});
  EXPECT_THAT(ToSvg(icon), HasSubstr("data-box=\"-10 -5 20 10\""));
  EXPECT_THAT(ToSvg(icon), HasSubstr("&lt;script&gt;&amp;</text>"));
}

}  // namespace
}  // namespace orrery::modelica
