model BadCharacter
  Real x;
equation
  x = 2 § 3;
end BadCharacter;
