// Heat along a rod: the ends are held, the inside follows its neighbours. The
// loop over the cells stays a loop.
model HeatedRod "u_t = a u_xx by central differences"
  parameter Integer n = 50 "Number of inner points";
  parameter Real a(unit = "m2/s") = 1e-3 "Diffusivity";
  parameter Real length(unit = "m") = 1;
  constant Real pi = 3.141592653589793;
  final parameter Real dx(unit = "m") = length/(n + 1);
  Real u[n](start = {sin(pi*i*dx/length) for i in 1:n}, each fixed = true)
    "Temperature above that of the ends";
equation
  der(u[1]) = a*(u[2] - 2*u[1])/dx^2;
  for i in 2:n-1 loop
    der(u[i]) = a*(u[i-1] - 2*u[i] + u[i+1])/dx^2;
  end for;
  der(u[n]) = a*(u[n-1] - 2*u[n])/dx^2;
  annotation(experiment(StopTime = 100));
end HeatedRod;
