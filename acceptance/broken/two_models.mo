model First
  Real x = 1;
end First;

model Second
  Real x = 2;
end Second;
