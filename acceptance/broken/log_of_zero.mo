model LogOfZero
  Real x;
equation
  x = log(time);
end LogOfZero;
