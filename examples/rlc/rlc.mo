// An electrical circuit of acausal parts: no part fixes inputs and outputs.
package RLC "Resistor, inductor and capacitor in series"

  connector Pin "Joins potentials; currents into the part sum to zero"
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;

  partial model OnePort "Two pins and a current that flows through"
    Pin p, n;
    Real v(unit = "V") "Voltage between the pins";
    Real i(unit = "A") "Current from p to n";
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end OnePort;

  model Resistor
    extends OnePort;
    parameter Real R(unit = "Ohm");
  equation
    v = R*i;
  end Resistor;

  model Inductor
    extends OnePort(i(start = 0, fixed = true));
    parameter Real L(unit = "H");
  equation
    L*der(i) = v;
  end Inductor;

  model Capacitor
    extends OnePort(v(start = 0, fixed = true));
    parameter Real C(unit = "F");
  equation
    C*der(v) = i;
  end Capacitor;

  model Source "Constant voltage"
    extends OnePort;
    parameter Real V(unit = "V");
  equation
    v = V;
  end Source;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Circuit "A step into a damped resonance"
    Source source(V = 10);
    Resistor resistor(R = 2);
    Inductor inductor(L = 0.5);
    Capacitor capacitor(C = 0.1);
    Ground ground;
  equation
    connect(source.p, resistor.p);
    connect(resistor.n, inductor.p);
    connect(inductor.n, capacitor.p);
    connect(capacitor.n, source.n);
    connect(source.n, ground.p);
    annotation(experiment(StopTime = 1));
  end Circuit;
end RLC;
