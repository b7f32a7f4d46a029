model SubscriptOnScalar
  Real a;
  Real x;
equation
  a = 1;
  x = a[1];
end SubscriptOnScalar;
