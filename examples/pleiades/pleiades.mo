// Seven stars in a plane: an n-body problem in three lines of equations.
// Hairer, Norsett and Wanner, Solving ODEs I, II.10; IVP Test Set, PLEI.
model Pleiades "Seven stars of masses 1 to 7 under their gravity"
  constant Integer n = 7 "Number of stars";
  Real x[n](start = {3, 3, -1, -3, 2, -2, 2}, each fixed = true);
  Real y[n](start = {3, -3, 2, 0, 0, -4, 4}, each fixed = true);
  Real vx[n](start = {0, 0, 0, 0, 0, 1.75, -1.5}, each fixed = true);
  Real vy[n](start = {0, 0, 0, -1.25, 1, 0, 0}, each fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  for i in 1:n loop
    der(vx[i]) = sum(if i == j then 0 else
      j*(x[j] - x[i])/((x[i] - x[j])^2 + (y[i] - y[j])^2)^1.5 for j in 1:n);
    der(vy[i]) = sum(if i == j then 0 else
      j*(y[j] - y[i])/((x[i] - x[j])^2 + (y[i] - y[j])^2)^1.5 for j in 1:n);
  end for;
  annotation(experiment(StopTime = 3));
end Pleiades;
