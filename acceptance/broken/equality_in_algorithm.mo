function F
  input Real u;
  output Real y;
algorithm
  y = 2*u;
end F;

model EqualityInAlgorithm
  Real x;
equation
  x = F(1);
end EqualityInAlgorithm;
