model ConstantChanged
  constant Real g = 9.81;
  Real x;
equation
  x = g;
  g = 1;
end ConstantChanged;
