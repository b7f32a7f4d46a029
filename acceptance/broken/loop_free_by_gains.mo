model LoopFreeByGains
  parameter Real p = 1, q = 1;
  Real x, y;
equation
  x = p*y;
  y = q*x;
end LoopFreeByGains;
