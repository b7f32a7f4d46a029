model StringAsNumber
  Real x;
equation
  x = "three";
end StringAsNumber;
