package HeldParameter "Parameters that the start determines"
  model Steady "A constant inflow that lets the level stand still at first"
    parameter Real k(fixed = false, start = 1);
    parameter Real twice = 2*k;
    Real x(start = 3, fixed = true);
    Real y;
    Real z;
  initial equation
    der(x) = 0;
  equation
    der(x) = twice*time + k - x/2;
    y = twice + k;
    z = k;
  end Steady;

  model Loop "Of equations that are not linear, and in an array"
    parameter Real k(fixed = false, start = 1);
    parameter Real p[2](each fixed = false);
    Real x(start = 3, fixed = true);
  initial equation
    k^3 + k = 10;
    p[1] + p[2] = k;
    p[1] - p[2] = 1;
  equation
    der(x) = -k*x + p[1]*der(k);
  end Loop;

  model Switch "At a time that the start determines"
    parameter Real t0(fixed = false);
    Real x(start = 1, fixed = true);
    Real y = if time < t0 then 0 else 1;
  initial equation
    2*t0 = x;
  equation
    der(x) = 1;
  end Switch;

  model Free "Nothing determines the parameter"
    parameter Real k(fixed = false, start = 1);
    Real x(start = 3, fixed = true);
  equation
    der(x) = k - x/2;
  end Free;

  model Double "Two things would determine the parameter"
    parameter Real k(fixed = false) = 1;
    Real x(start = 3, fixed = true);
  equation
    der(x) = k - x/2;
  end Double;

  model Bound "A state that has to be what does not change"
    parameter Real k(fixed = false);
    Real x(start = 3, fixed = true);
    input Real u; Real v;
  equation
    der(x) = v;
    x = k + u;
  end Bound;
end HeldParameter;
