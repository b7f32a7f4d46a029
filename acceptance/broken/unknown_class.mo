model UnknownClass
  Rael x;
equation
  x = 1;
end UnknownClass;
