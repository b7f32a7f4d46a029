model WrongArgumentCount
  Real x;
equation
  x = sin(1, 2);
end WrongArgumentCount;
