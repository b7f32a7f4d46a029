package Parts "Electrical parts with icons, for tests of the page"
  connector Pin "A pin"
    Real v(unit = "V") "Potential";
    flow Real i(unit = "A") "Current into the part";
    annotation(Icon(graphics = {Rectangle(extent = {{-100,-100},{100,100}}, lineColor = {0,0,255}, fillColor = {0,0,255}, fillPattern = FillPattern.Solid)}));
  end Pin;

  partial model TwoPin "A part with two pins"
    Pin p "Positive pin" annotation(Placement(transformation(extent = {{-110,-10},{-90,10}})));
    Pin n "Negative pin" annotation(Placement(transformation(extent = {{90,-10},{110,10}})));
    Real v(unit = "V") "Voltage from p to n";
  equation
    v = p.v - n.v;
    p.i + n.i = 0;
  end TwoPin;

  model Resistor "Ideal linear resistor"
    extends TwoPin;
    parameter Real R(unit = "Ohm") = 1 "Resistance";
  equation
    v = R*p.i;
    annotation(Icon(graphics = {
      Rectangle(extent = {{-70,30},{70,-30}}, lineColor = {0,0,255}, fillColor = {255,255,255}, fillPattern = FillPattern.Solid),
      Line(points = {{-90,0},{-70,0}}, color = {0,0,255}),
      Line(points = {{70,0},{90,0}}, color = {0,0,255}),
      Text(extent = {{-150,90},{150,50}}, textString = "%name", textColor = {0,0,255}),
      Text(extent = {{-150,-40},{150,-80}}, textString = "R=%R")}));
  end Resistor;

  model Capacitor "Ideal linear capacitor"
    extends TwoPin(v(start = 0, fixed = true));
    parameter Real C(unit = "F") = 1 "Capacitance";
  equation
    C*der(v) = p.i;
    annotation(Icon(graphics = {
      Line(points = {{-6,40},{-6,-40}}, color = {0,0,255}),
      Line(points = {{6,40},{6,-40}}, color = {0,0,255}),
      Line(points = {{-90,0},{-6,0}}, color = {0,0,255}),
      Line(points = {{6,0},{90,0}}, color = {0,0,255}),
      Text(extent = {{-150,90},{150,50}}, textString = "%name", textColor = {0,0,255})}));
  end Capacitor;

  model Source "Constant voltage"
    extends TwoPin;
    parameter Real V(unit = "V") = 1 "Voltage";
  equation
    v = V;
    annotation(Icon(graphics = {
      Ellipse(extent = {{-50,50},{50,-50}}, lineColor = {0,0,255}),
      Line(points = {{-90,0},{90,0}}, color = {0,0,255}),
      Text(extent = {{-150,100},{150,60}}, textString = "%name", textColor = {0,0,255})}));
  end Source;

  model Ground "The potential 0"
    Pin p annotation(Placement(transformation(extent = {{-10,90},{10,110}})));
  equation
    p.v = 0;
    annotation(Icon(graphics = {
      Line(points = {{-60,50},{60,50}}, color = {0,0,255}),
      Line(points = {{-40,30},{40,30}}, color = {0,0,255}),
      Line(points = {{-20,10},{20,10}}, color = {0,0,255}),
      Line(points = {{0,90},{0,50}}, color = {0,0,255})}));
  end Ground;
end Parts;
