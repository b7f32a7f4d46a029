model UnitsOfElements
  Real v[2](final unit = {"m/s", "m"}) = {1, 2}*time;
end UnitsOfElements;
