function Forever
  input Real u;
  output Real y;
algorithm
  y := u;
  while y < 1 loop
    y := y*0.5;
  end while;
end Forever;

model FunctionDoesNotEnd
  Real x;
equation
  x = Forever(time/2);
end FunctionDoesNotEnd;
