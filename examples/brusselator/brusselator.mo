// A reaction that diffuses along a line and oscillates: a stiff PDE.
// Hairer and Wanner, Solving ODEs II, IV.10, problem BRUSS.
model Brusselator "Two species on a line"
  parameter Integer n = 200 "Number of inner points";
  parameter Real alpha = 0.02 "Diffusion";
  constant Real pi = 3.141592653589793;
  final parameter Real c = alpha*(n + 1)^2;
  Real u[n](start = {1 + sin(2*pi*i/(n + 1)) for i in 1:n}, each fixed = true);
  Real v[n](each start = 3, each fixed = true);
equation
  for i in 1:n loop
    der(u[i]) = 1 + u[i]^2*v[i] - 4*u[i]
      + c*((if i == 1 then 1 else u[i-1]) - 2*u[i]
         + (if i == n then 1 else u[i+1]));
    der(v[i]) = 3*u[i] - u[i]^2*v[i]
      + c*((if i == 1 then 3 else v[i-1]) - 2*v[i]
         + (if i == n then 3 else v[i+1]));
  end for;
  annotation(experiment(StopTime = 10));
end Brusselator;
