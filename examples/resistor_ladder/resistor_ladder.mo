// A ladder of 2 n resistors: arrays of parts, connected in a loop. It has no
// states at all; the whole circuit is one linear system.
model ResistorLadder "Series resistors R and shunts R; n rungs"
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;

  model Resistor
    Pin p, n;
    parameter Real R(unit = "Ohm") = 1;
  equation
    p.v - n.v = R*p.i;
    p.i + n.i = 0;
  end Resistor;

  parameter Integer n = 10 "Rungs";
  Pin top "Driven with 1 V";
  Resistor series[n];
  Resistor shunt[n];
  Real resistance(unit = "Ohm") "Seen from the top";
equation
  connect(top, series[1].p);
  for k in 1:n-1 loop
    connect(series[k].n, series[k+1].p);
  end for;
  for k in 1:n loop
    connect(series[k].n, shunt[k].p);
    shunt[k].n.v = 0;
  end for;
  top.v = 1;
  resistance = top.v/series[1].p.i;
end ResistorLadder;
