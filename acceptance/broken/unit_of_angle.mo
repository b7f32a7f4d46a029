model UnitOfAngle
  Real height(unit = "m");
  Real ratio;
equation
  height = 2;
  ratio = sin(height);
end UnitOfAngle;
