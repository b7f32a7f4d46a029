package Jumps "Loops whose solution ends: another one is taken"
  model Hysteresis "y jumps at y = -1 and y = 1, where u = 1 and u = -1"
    Real u;
    Real y(start = -2);
  equation
    u = 2*sin(time);
    y^3 - 3*y = 2*u;
    annotation(experiment(StopTime = 9.9));
  end Hysteresis;

  model Relaxation "An oscillator of one state: y moves along y^3/3 - y = x"
    Real x(start = 0.6, fixed = true);
    Real y(start = 2);
    Real turns(start = 0, fixed = true);
  equation
    y^3/3 - y = x;
    der(x) = -y;
    der(turns) = if noEvent(y > 0) then 1 else 0;
    annotation(experiment(StopTime = 20));
  end Relaxation;

  model Trigger "A comparator whose output is fed back"
    Real v;
    Real out(start = -1);
  equation
    v = 3*sin(time);
    out = tanh(10*(0.5*out + 0.2*v));
    annotation(experiment(StopTime = 9.9));
  end Trigger;

  model OfTwo "The same in two unknowns"
    Real v(start = 0, fixed = true);
    Real a(start = -1);
    Real b(start = -0.5);
  equation
    der(v) = cos(time);
    a = 2*tanh(5*b);
    b = 0.25*a + 0.5*v - 0.02*b^3;
    annotation(experiment(StopTime = 6));
  end OfTwo;
end Jumps;
