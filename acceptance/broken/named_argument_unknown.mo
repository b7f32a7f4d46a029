function Area
  input Real width;
  input Real height;
  output Real y;
algorithm
  y := width*height;
end Area;

model NamedArgumentUnknown
  Real x = Area(width = 2, hight = 3);
end NamedArgumentUnknown;
