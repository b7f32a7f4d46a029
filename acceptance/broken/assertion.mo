model Assertion
  Real level(start = 1, fixed = true);
equation
  der(level) = -2;
  assert(level > 0, "the tank is empty");
end Assertion;
