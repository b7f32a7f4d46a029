model ForOverReal
  Real x[3];
equation
  for i in 0.5:2.5 loop
    x[i] = i;
  end for;
end ForOverReal;
