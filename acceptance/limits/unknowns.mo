model Unknowns
  Real x[20000000];
equation
  for i in 1:20000000 loop
    x[i] = if time > i then 1 else 0;
  end for;
end Unknowns;
