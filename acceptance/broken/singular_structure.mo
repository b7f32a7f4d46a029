model SingularStructure
  Real x;
  Real y;
  Real z;
equation
  x = 1;
  2*x = time;
  y + z = 3;
end SingularStructure;
