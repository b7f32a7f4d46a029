model DerOfBoolean
  Boolean b = true;
  Real x = der(b);
end DerOfBoolean;
