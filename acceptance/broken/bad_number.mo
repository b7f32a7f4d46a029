model BadNumber
  Real x;
equation
  x = 1.5e+;
end BadNumber;
