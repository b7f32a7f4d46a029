model NumberTooLarge
  Real x = 1e999;
  parameter Integer n = 99999999999999999999;
end NumberTooLarge;
