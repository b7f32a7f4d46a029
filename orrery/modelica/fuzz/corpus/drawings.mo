package P
  connector Pin
    Real v;
    flow Real i;
    annotation(Icon(graphics={Rectangle(extent={{-1,-1},{1,1}})}));
  end Pin;
  model Part
    parameter Integer n = 0 annotation(Dialog(connectorSizing=true));
    parameter Boolean on = true;
    Pin p[n] annotation(Placement(transformation(extent={{-9,-9},{9,9}})));
    Pin a if on annotation(Placement(iconTransformation(origin={1,2})));
    annotation(Icon(coordinateSystem(extent={{0,0},{9,9}}), graphics={
      Text(textString="%name %{n} %%", extent={{0,0},{1,1}}),
      Line(points={{0,0},{1,1},{2,0}}, smooth=Smooth.Bezier),
      Ellipse(fillColor=DynamicSelect({0,0,0}, if on then {1,1,1} else
        {2,2,2}))}));
  end Part;
  model M
    extends Part annotation(IconMap(extent={{-1,-1},{1,1}}));
    Part x(n=1) annotation(Placement(transformation(extent={{0,0},{2,2}},
      rotation=90))), y, z[2];
  equation
    connect(x.p[1], y.a) annotation(Line(points={{0,0},{5,0},{5,0},{9,0}}));
    for i in 1:2 loop connect(z[i].a, x.a); end for;
  end M;
end P;
