model LoopFree
  Real x;
  Real y;
equation
  x = y;
  y = x;
end LoopFree;
