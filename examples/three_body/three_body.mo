// Three equal masses that chase each other along a figure of eight.
// Chenciner and Montgomery, Annals of Mathematics 152 (2000) 881-901.
model ThreeBody "The figure-eight orbit"
  Real x[3](start = {0.97000436, -0.97000436, 0}, each fixed = true);
  Real y[3](start = {-0.24308753, 0.24308753, 0}, each fixed = true);
  Real vx[3](start = {0.466203685, 0.466203685, -0.93240737},
             each fixed = true);
  Real vy[3](start = {0.43236573, 0.43236573, -0.86473146},
             each fixed = true);
  Real energy "Kinetic and potential; constant";
protected
  Real inverse[3] "1/r^3 of the pairs 12, 23, 31";
equation
  for i in 1:3 loop
    inverse[i] = ((x[i] - x[mod(i, 3) + 1])^2
                + (y[i] - y[mod(i, 3) + 1])^2)^(-1.5);
    der(x[i]) = vx[i];
    der(y[i]) = vy[i];
    der(vx[i]) = (x[mod(i, 3) + 1] - x[i])*inverse[i]
               + (x[mod(i + 1, 3) + 1] - x[i])*inverse[mod(i + 1, 3) + 1];
    der(vy[i]) = (y[mod(i, 3) + 1] - y[i])*inverse[i]
               + (y[mod(i + 1, 3) + 1] - y[i])*inverse[mod(i + 1, 3) + 1];
  end for;
  energy = sum(vx.^2 + vy.^2)/2 - sum(inverse[i]^(1/3) for i in 1:3);
  annotation(experiment(StopTime = 6.32591398, Tolerance = 1e-10));
end ThreeBody;
