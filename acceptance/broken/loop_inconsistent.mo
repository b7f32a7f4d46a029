model LoopInconsistent
  Real x;
  Real y;
equation
  x = y + 1;
  y = x;
end LoopInconsistent;
