function OnlyFunction
  input Real u;
  output Real y;
algorithm
  y := u;
end OnlyFunction;
