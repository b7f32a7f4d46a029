model NoUnknown
  Real x = 1;
equation
  1 = 2;
end NoUnknown;
