model IfWithoutEnd
  parameter Boolean fast = true;
  Real x;
equation
  if fast then
    x = 1;
  else
    x = 2;
end IfWithoutEnd;
