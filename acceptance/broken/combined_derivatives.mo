model FloatingCapacitor "Its nodes' voltages are no states, but their difference is"
  parameter Real C = 1e-6, R = 1000;
  Real a, b;
equation
  C*(der(a) - der(b)) = (sin(time) - a)/R;
  C*(der(b) - der(a)) = -exp(b)/R;
end FloatingCapacitor;
