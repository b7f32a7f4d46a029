// The damped oscillators of MoDyPy's test suite, and its first-order lag.
package Oscillators
  model Damped "m x'' + c x' + k x = 0"
    parameter Real m = 100, c = 20, k = 1;
    Real x(start = 10, fixed = true);
    Real v(start = 0, fixed = true);
  equation
    der(x) = v;
    der(v) = -(c*v + k*x)/m;
    annotation(experiment(StopTime = 30));
  end Damped;

  model Lag "x' = -x"
    Real x(start = 10, fixed = true);
  equation
    der(x) = -x;
    annotation(experiment(StopTime = 3));
  end Lag;

  model Integrator "x' = cos t"
    Real x(start = 0, fixed = true);
  equation
    der(x) = cos(time);
    annotation(experiment(StopTime = 10));
  end Integrator;
end Oscillators;
