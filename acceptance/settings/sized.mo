model Sized "An array whose value is written for one size"
  parameter Integer n = 3;
  parameter Real a[n] = {1, 2, 3};
  Real s = sum(a);
end Sized;
