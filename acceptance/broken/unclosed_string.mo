model UnclosedString
  Real x "the distance;
equation
  x = 1;
end UnclosedString;
