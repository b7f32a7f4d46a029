// 1,600 nodes, each with a diode to ground: one nonlinear loop, solved anew for
// each of 500 rows. Torn with turned equations, and with rows in any order for
// KLU, this took 16 s.
model DiodeGrid "Resistors in a grid, a diode from each node to ground"
  parameter Integer n = 40;
  parameter Real Is(unit = "A") = 1e-12 "Saturation current";
  parameter Real Vt(unit = "V") = 0.025 "Thermal voltage";
  parameter Real R(unit = "Ohm") = 100, U(unit = "V") = 10;
  Real v[n, n](each unit = "V");
  Real i[n, n] = {{Is*(exp(v[r, c]/Vt) - 1) for c in 1:n} for r in 1:n};
equation
  for r in 1:n loop
    for c in 1:n loop
      i[r, c] = (if r == 1 then U*(1 + 0.1*sin(time + c)) - v[r, c]
                 else v[max(r - 1, 1), c] - v[r, c])/R
        + (if r == n then 0 else (v[min(r + 1, n), c] - v[r, c])/R)
        + (if c == 1 then 0 else (v[r, max(c - 1, 1)] - v[r, c])/R)
        + (if c == n then 0 else (v[r, min(c + 1, n)] - v[r, c])/R);
    end for;
  end for;
  annotation(experiment(StopTime = 1));
end DiodeGrid;
