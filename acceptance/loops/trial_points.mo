package TrialPoints "Functions that refuse points which Newton's method tries"
  function root
    input Real x;
    output Real y = sqrt(x);
  algorithm
    assert(x >= 0, "negative");
    annotation(Inline = false);
  end root;

  function logarithm
    input Real x;
    output Real y;
  algorithm
    assert(x > 0, "not positive");
    y := log(x);
    annotation(Inline = false);
  end logarithm;

  model Roots
    Real x(start = 4), y(start = 4);
  equation
    root(x) + 5*x = 0.5 + 0.1*sin(10*time) + 0.1*y;
    root(y) + 5*y = 0.3 + 0.297*cos(10*time) + 0.1*x;
  end Roots;

  model Logarithms
    Real x(start = 5), y(start = 3);
  equation
    logarithm(x) + x = -6*sin(5*time)^2 + 0.1*y;
    logarithm(y) + y = -5*cos(5*time)^2 + 0.1*x;
  end Logarithms;

  model Quotients
    Real x(start = 0.03), y(start = 0.05);
    Real s(start = 0.02, fixed = true);
  equation
    1/x + x^2*y = 50 + 45*sin(8*time) + s;
    1/y - x = 20 + 15*cos(8*time);
    der(s) = -s;
  end Quotients;

  model Plain "Without a function of the model"
    Real x(start = 4), y(start = 4), z(start = 1);
  equation
    sqrt(x) + 5*x = 0.5 + 0.1*sin(10*time) + 0.1*y;
    sqrt(y) + 5*y = 0.3 + 0.297*cos(10*time) + 0.1*x;
    log(z) + z*x = y - 1;
  end Plain;
end TrialPoints;
