model SqrtOfNegative "As printed in requirement 3: d - 4.5 is negative"
  constant Real pi = 3.141592653589793;
  Real a;
  Real b;
  Real c;
  Real d;
  Real e;
equation
  a = b^2 + 3;
  b = sin(c*e);
  c = sqrt(d - 4.5);
  d = pi/2;
  e = time;
end SqrtOfNegative;
