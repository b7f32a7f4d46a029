model LoopIndexBounds
  Real x[3];
equation
  for i in 1:3 loop
    x[i + 1] = i;
  end for;
end LoopIndexBounds;
