model IntegerDivisionByZero
  Integer i = div(3, 0);
end IntegerDivisionByZero;
