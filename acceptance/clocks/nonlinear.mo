package Nonlinear "Nonlinear loops of equations at the ticks of clocks"
  model Cubic
    Real x(start = 1);
  equation
    when Clock(0.1) then
      x = previous(x) - 0.1*x^3;
    end when;
    annotation(experiment(StopTime = 2.05));
  end Cubic;

  model Euler "The same steps but for the first tick, which has none"
    Real x(start = 1);
  equation
    when Clock(Clock(0.1), solverMethod = "ImplicitEuler") then
      der(x) = -x^3;
    end when;
    annotation(experiment(StopTime = 2.05));
  end Euler;

  model Trapezoid
    Real x(start = 1);
  equation
    when Clock(Clock(1, 10), solverMethod = "ImplicitTrapezoid") then
      der(x) = -exp(x);
    end when;
    annotation(experiment(StopTime = 2.05));
  end Trapezoid;

  model Two "Two unknowns, and what is sampled"
    Real x(start = 1);
    Real y(start = 0.5);
    Real u = 1 + time;
  equation
    when Clock(0.25) then
      x = previous(x) - 0.25*x*y + 0.25*sample(u);
      y = previous(y) + 0.25*sin(x) - 0.25*y^2;
    end when;
    annotation(experiment(StopTime = 3.1));
  end Two;

  model OfEvents "At ticks that a condition makes, 0.5 s apart"
    Real x(start = 2);
  equation
    when Clock(sin(12.566370614359172*time - 1) > 0, 0.5) then
      exp(x) + x = exp(previous(x)) + previous(x) - 1;
    end when;
    annotation(experiment(StopTime = 2.2));
  end OfEvents;
end Nonlinear;
