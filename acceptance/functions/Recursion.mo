// Recursion that arguments end whose values are known at translation.
package Recursion
  function halves
    input Real x;
    output Real y;
  algorithm
    if x < 1e-3 then
      y := x;
    else
      y := halves(x/2) + 1;
    end if;
  end halves;

  model ByReal
    parameter Real p = halves(1);
    Real y = p*time;
  end ByReal;

  function integral "Of x^4, by Simpson's rule and bisection"
    input Real a, b, tolerance;
    output Real y;
  protected
    Real m = (a + b)/2, whole = (b - a)/6*(a^4 + 4*m^4 + b^4);
    Real l = (a + m)/2, r = (m + b)/2;
    Real parts = (b - a)/12*(a^4 + 4*l^4 + 2*m^4 + 4*r^4 + b^4);
  algorithm
    if abs(parts - whole) < 15*tolerance then
      y := parts;
    else
      y := integral(a, m, tolerance/2) + integral(m, b, tolerance/2);
    end if;
  end integral;

  model Adaptive
    constant Real area = integral(0, 1, 1e-5);
    Real y = area*time;
  end Adaptive;

  function ackermann
    input Real m, n;
    output Real y;
  algorithm
    y := if m < 0.5 then n + 1 elseif n < 0.5 then ackermann(m - 1, 1) else
         ackermann(m - 1, ackermann(m, n - 1));
  end ackermann;

  model Nested
    parameter Real p = ackermann(2, 2);
    Real y = p*time;
  end Nested;

  function power "Of an unknown, by a whole Real"
    input Real x, n;
    output Real y;
  algorithm
    y := if n < 0.5 then 1 else x*power(x, n - 1);
  end power;

  model BesideUnknowns
    parameter Real n = 3;
    Real y = power(2*time, n);
  end BesideUnknowns;

  model Endless
    Real y = halves(time + 1);
  end Endless;
end Recursion;
