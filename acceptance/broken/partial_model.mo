partial model Half
  Real x;
  Real y;
equation
  x = 1;
end Half;

model PartialModel
  Half h;
equation
  h.y = 2;
end PartialModel;
