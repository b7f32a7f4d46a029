function Twice
  input Real u;
  output Real y;
algorithm
  y := 2*v;
end Twice;

model UnknownInFunction
  Real x = Twice(time);
end UnknownInFunction;
