model RealCondition
  Real x;
equation
  x = if time then 1 else 2;
end RealCondition;
