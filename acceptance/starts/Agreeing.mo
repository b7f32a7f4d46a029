// Fixed starts that agree with the equations for the numbers of a run only.
package Agreeing
  model Torque
    Real w(start = 3, fixed = true), tau;
  equation
    2*der(w) = tau;
    w = 3 + sin(time);
  end Torque;

  model Parameters
    parameter Real a = 2, b = 1.5, start = 3;
    Real x(start = start, fixed = true), y(start = 9, fixed = true), f;
  equation
    der(x) = f;
    x = a*b + time;
    der(y) = x;
  end Parameters;

  model Rounded "sqrt(2)/2 to eight digits"
    Real s(start = 0.70710678, fixed = true), c(start = 0.70710678, fixed = true);
    Real v;
  equation
    s = sin(time + Modelica.Constants.pi/4);
    der(s) = v;
    der(c) = -s;
  end Rounded;

  model InitialEquation
    Real x, v;
  equation
    x = exp(-time);
    v = der(x);
  initial equation
    x = 1;
  end InitialEquation;

  model Contradiction
    Real w(start = 3.1, fixed = true), tau;
  equation
    2*der(w) = tau;
    w = 3 + sin(time);
  end Contradiction;
end Agreeing;
