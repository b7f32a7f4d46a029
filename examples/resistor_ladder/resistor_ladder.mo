// A ladder of 2 n resistors: arrays of parts, connected in a loop. It has no
// states at all; the whole circuit is one linear system.
package Ladder
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

  model Source "Holds its pin at 1 V above ground"
    Pin p;
  equation
    p.v = 1;
  end Source;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model ResistorLadder "Series resistors and shunts to ground; n rungs"
    parameter Integer n = 10 "Rungs";
    Source source;
    Resistor series[n];
    Resistor shunt[n];
    Ground ground;
    Real resistance(unit = "Ohm") "Seen from the source";
  equation
    connect(source.p, series[1].p);
    for k in 1:n-1 loop
      connect(series[k].n, series[k+1].p);
    end for;
    for k in 1:n loop
      connect(series[k].n, shunt[k].p);
      connect(shunt[k].n, ground.p);
    end for;
    resistance = -source.p.v/source.p.i;
    annotation(experiment(StopTime = 1));
  end ResistorLadder;
end Ladder;
