function Half
  input Real u;
  output Real y;
algorithm
  u := u/2;
  y := u;
end Half;

model AssignToFunctionInput
  Real x = Half(time);
end AssignToFunctionInput;
