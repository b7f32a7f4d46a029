// Between the smallest and the largest conductance lie up to 80 decades, and the
// first guess, 0, lets exponentials of 4000 overflow where U = 100: Newton's
// method gets there from tempered exponentials.
model DiodeOnlyGrid "Diodes in a grid and nothing else, a source across its corners"
  parameter Integer n = 20;
  parameter Real Is(unit = "A") = 1e-12 "Saturation current";
  parameter Real Vt(unit = "V") = 0.025 "Thermal voltage";
  parameter Real U(unit = "V") = 5;
  Real v[n, n](each unit = "V");
  Real h[n, n - 1](each unit = "A") "To the right";
  Real d[n - 1, n](each unit = "A") "Down";
  Real i(unit = "A") "From the source";
equation
  for r in 1:n loop
    for c in 1:n - 1 loop
      h[r, c] = Is*(exp((v[r, c] - v[r, c + 1])/Vt) - 1);
    end for;
  end for;
  for r in 1:n - 1 loop
    for c in 1:n loop
      d[r, c] = Is*(exp((v[r, c] - v[r + 1, c])/Vt) - 1);
    end for;
  end for;
  for r in 1:n loop
    for c in 1:n loop
      if r == n and c == n then
        v[r, c] = 0;
      elseif r == 1 and c == 1 then
        v[r, c] = U;
      else
        (if c == 1 then 0 else h[r, max(c - 1, 1)])
        + (if r == 1 then 0 else d[max(r - 1, 1), c])
        - (if c == n then 0 else h[r, min(c, n - 1)])
        - (if r == n then 0 else d[min(r, n - 1), c]) = 0;
      end if;
    end for;
  end for;
  i = h[1, 1] + d[1, 1];
  annotation(experiment(StopTime = 1));
end DiodeOnlyGrid;
