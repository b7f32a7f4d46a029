function Countdown
  input Real n;
  output Real y;
algorithm
  y := Countdown(n - 1);
end Countdown;

model RecursiveFunction
  Real x;
equation
  x = Countdown(time);
end RecursiveFunction;
