model Broken
  Real x = (1 + ;
  paramter Real y;
equation
  if x then
  y := 2
end Brken;
