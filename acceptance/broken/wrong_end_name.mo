model WrongEndName
  Real x;
equation
  x = 1;
end WrongName;
