model UnknownVariable
  Real pressure;
  Real rate;
equation
  pressure = 3;
  rate = presure/2;
end UnknownVariable;
