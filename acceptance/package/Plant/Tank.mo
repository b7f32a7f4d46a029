within Plant;
model Tank
  parameter Real area = 2;
  Real rate = area*g;
end Tank;
