package Hybrid "Cases of events with known answers"
  model ThreeRoots "y' = 3 x^2 + 12 x - 4 has roots at -6, -2 and 2"
    Real y(start = -120, fixed = true);
    Integer n(start = 0, fixed = true);
    discrete Real sum(start = 0, fixed = true) "Of the roots";
  equation
    der(y) = 3*time^2 + 12*time - 4;
    when {y > 0, y < 0} then
      n = pre(n) + 1;
      sum = pre(sum) + time*10.0^pre(n);
    end when;
  end ThreeRoots;

  model Dips "Each function is below zero for a short time, once"
    constant Integer n = 12;
    parameter Real width[n] = {1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3,
        1e-2, 2e-2, 5e-2, 1e-1};
    parameter Real at[n] = {(i + 0.3)/13 for i in 1:n};
    Real x(start = 0, fixed = true);
    Integer count[n](each start = 0, each fixed = true);
    Integer all_ = sum(count);
  equation
    der(x) = 1;
    for i in 1:n loop
      when (x - at[i])^2 < (width[i]/2)^2 then
        count[i] = pre(count[i]) + 1;
      end when;
    end for;
  end Dips;

  model Close "Events at 1e-8, 2e-8 and 2e-7, and two at one time"
    Real x(start = 0, fixed = true);
    Integer n(start = 0, fixed = true);
    Integer twice(start = 0, fixed = true);
  equation
    der(x) = 1;
    when {x >= 1e-8, x >= 2e-8, x >= 2e-7} then
      n = pre(n) + 1;
    end when;
    when {x >= 0.5, x^3 >= 0.125} then
      twice = pre(twice) + 1;
    end when;
  end Close;

  model Holds "Two samplers, one of which stops at t = 2"
    Real x(start = 2, fixed = true);
    discrete Real hold1(start = 0, fixed = true);
    discrete Real hold2(start = 0, fixed = true);
    discrete Real hold3(start = 2, fixed = true);
  equation
    der(x) = -x;
    when sample(0, 0.2) then
      hold1 = x;
    end when;
    when sample(0, 0.25) and time <= 2 then
      hold2 = x;
    end when;
    when sample(-6, 0.25) and time <= -1 then
      hold3 = x;
    end when;
  end Holds;

  model Counter "Ticks without anything that moves"
    Integer n(start = 0, fixed = true);
  equation
    when sample(0, 1) then
      n = pre(n) + 1;
    end when;
  end Counter;

  model Endless "Two events that trigger each other"
    Real x(start = 0, fixed = true);
    Real y(start = 5, fixed = true);
  equation
    der(x) = 0;
    der(y) = -1;
    when y <= 0 then
      reinit(x, 1);
    elsewhen x > 0.5 then
      reinit(x, 0);
    elsewhen x < 0.5 then
      reinit(x, 1);
    end when;
  end Endless;

  model Sliding "Two fields that push against each other"
    Real x(start = 1.5, fixed = true);
    Real y(start = 1, fixed = true);
  equation
    der(x) = if x > y then -2 else 2;
    der(y) = if y > x then -3 else 1.5;
  end Sliding;

  model Ends "terminate at a crossing"
    Real x(start = 0, fixed = true);
  equation
    der(x) = 2;
    when x >= 3 then
      terminate("x is " + String(x));
    end when;
  end Ends;

  model Kinks "Functions that jump or have a kink"
    Real x(start = -1, fixed = true);
    Real a = abs(x);
    Real s = sign(x);
    Real f = floor(4*x);
    Real m = mod(x, 0.25);
    Integer i = integer(2*x);
    Real sum(start = 0, fixed = true);
  equation
    der(x) = 2;
    der(sum) = a + s + f + i;
  end Kinks;

  model Alarm "An event between others sets the time of one that comes soon"
    Real x(start = 0, fixed = true);
    discrete Real next(start = 10, fixed = true);
    discrete Real rang(start = 0, fixed = true) "When it did";
  equation
    der(x) = 1;
    when x > 1 then
      next = time + 0.125;
    end when;
    when time >= next then
      rang = time;
    end when;
  end Alarm;

  model Warned "An assertion that warns, once"
    Real x(start = 0, fixed = true);
  equation
    der(x) = cos(time);
    assert(x < 0.5, "x is " + String(x), AssertionLevel.warning);
  end Warned;

  model Torricelli "A tank that is empty at t = 1; behind that is no square root"
    Real h(start = 1, fixed = true);
    discrete Real empty(start = 0, fixed = true);
  equation
    der(h) = if h > 0 then -2*sqrt(h) else 0;
    when h <= 0 then
      empty = time;
    end when;
  end Torricelli;

  model RoundedBesideAConstraint "g is bound to x, whose steps are counted"
    Real x(start = 1, fixed = true);
    Real g;
    Real v;
    Real w(start = 0, fixed = true);
  equation
    der(x) = -x;
    der(g) = v;
    g = 2*x + sin(time);
    der(w) = floor(4*x);
  end RoundedBesideAConstraint;

  model Pulse "An integral of 1 within a hundredth of a step"
    parameter Real w = 0.01;
    Real s(start = 0, fixed = true);
    Real x(start = 0, fixed = true);
  equation
    der(s) = 1;
    der(x) = max(0, 1 - ((s - 6.1234)/w)^2)*0.75/w;
  end Pulse;

  model Crests "What of a sine is above 0.999"
    Real s(start = 0, fixed = true);
    Real c(start = 1, fixed = true);
    Real x(start = 0, fixed = true);
  equation
    der(s) = c;
    der(c) = -s;
    der(x) = max(0, s - 0.999);
  end Crests;

  model Ball "Comes to rest in sqrt(2/g)*1.7/0.3 = 2.5586 s"
    Real h(start = 1, fixed = true);
    Real v(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = -9.81;
    when h < 0 then
      reinit(v, -0.7*pre(v));
    end when;
  end Ball;

  model Grows "x' = x, and a relation that nothing depends on"
    Real x(start = 1, fixed = true);
    Boolean large = x > 1.5;
  equation
    der(x) = x;
  end Grows;

  model Circle "A step of explicit Euler is exact arithmetic"
    Real b1(start = 0, fixed = true);
    Real b2(start = 1, fixed = true);
  equation
    der(b1) = b2;
    der(b2) = -b1;
  end Circle;

  model Leaves "Ends at 2*(1 - ln(2)) s: the root ends, the motion does not"
    Real x(start = 1, fixed = true);
  equation
    der(x) = -sqrt(x) - 1;
  end Leaves;
end Hybrid;
