package SecondOrder "Derivatives of derivatives"
  model Spring
    Real x(start = 0, fixed = true);
  initial equation
    der(x) = 2;
  equation
    der(der(x)) = -4*x;
  end Spring;

  model Masses
    parameter Real m = 2;
    Real x[2](each start = 0, each fixed = true);
  initial equation
    der(x) = {2, 4};
  equation
    for i in 1:2 loop
      m*der(der(x[i])) = -8*x[i];
    end for;
  end Masses;

  model Product "x = t + 1"
    Real x(start = 1, fixed = true);
  initial equation
    der(x) = 1;
  equation
    der(x*der(x)) = 1;
  end Product;

  model Third "x = sin(t) - t"
    Real x(start = 0, fixed = true);
  initial equation
    der(x) = 0;
    der(der(x)) = 0;
  equation
    der(der(der(x))) = -cos(time);
  end Third;
end SecondOrder;
