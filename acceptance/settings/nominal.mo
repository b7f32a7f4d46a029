package Nominal "Small states, whose sizes elements and parameters tell"
  model Part
    parameter Real size = 1;
    Real x(start = 1e-9, fixed = true, nominal = 2*size/2);
  equation
    der(x) = -x*(1 + sin(7*time));
  end Part;

  model OfParameter
    parameter Real small = 1e-9;
    extends Part(size = small);
    annotation(experiment(StopTime = 10));
  end OfParameter;

  model OfParts
    Part part[2](size = {1e-9, 1e-9});
    annotation(experiment(StopTime = 10));
  end OfParts;

  model OfElements
    Real x[2](start = {1, 1e-9}, each fixed = true, nominal = {1, 1e-9});
  equation
    der(x[1]) = -x[1];
    der(x[2]) = -x[2]*(1 + sin(7*time));
    annotation(experiment(StopTime = 10));
  end OfElements;
end Nominal;
