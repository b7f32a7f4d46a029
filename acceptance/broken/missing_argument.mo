function Area
  input Real width;
  input Real height;
  output Real y;
algorithm
  y := width*height;
end Area;

model MissingArgument
  Real x;
equation
  x = Area(2);
end MissingArgument;
