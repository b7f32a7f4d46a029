model UnbalancedIf
  parameter Boolean fast = true;
  Real x;
  Real y;
equation
  if fast then
    x = 1;
    y = 2;
  else
    x = 3;
  end if;
end UnbalancedIf;
