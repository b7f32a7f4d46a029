connector RealInput = input Real;

block Gain
  RealInput u;
  Real y;
equation
  y = 2*u;
end Gain;

model InputNotConnected
  Gain gain;
end InputNotConnected;
