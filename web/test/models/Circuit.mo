model Circuit "A capacitor that a source charges through a resistor"
  // The time constant is R*C = 2 s.
  Parts.Source source(V = 10) annotation(Placement(transformation(origin = {-60,0}, extent = {{-10,-10},{10,10}}, rotation = -90)));
  Parts.Resistor R1(R = 1000) annotation(Placement(transformation(extent = {{-30,30},{-10,50}})));
  Parts.Capacitor C1(C = 0.002) annotation(Placement(transformation(origin = {40,0}, extent = {{-10,-10},{10,10}}, rotation = -90)));
  Parts.Ground ground annotation(Placement(transformation(extent = {{-70,-70},{-50,-50}})));
equation
  connect(source.p, R1.p) annotation(Line(points = {{-60,10},{-60,40},{-30,40}}, color = {0,0,255}));
  connect(R1.n, C1.p) annotation(Line(points = {{-10,40},{40,40},{40,10}}, color = {0,0,255}));
  connect(C1.n, source.n) annotation(Line(points = {{40,-10},{40,-30},{-60,-30},{-60,-10}}, color = {0,0,255}));
  connect(source.n, ground.p) annotation(Line(points = {{-60,-10},{-60,-50}}, color = {0,0,255}));
  annotation(experiment(StopTime = 10));
end Circuit;
