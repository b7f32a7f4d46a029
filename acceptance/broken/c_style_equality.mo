model CStyleEquality
  Real x;
equation
  x = if time == 1 && time > 0 then 1 else 2;
end CStyleEquality;
