connector Pin
  Real v;
  flow Real i;
end Pin;

model Ground
  Pin p;
equation
  p.v = 0;
end Ground;

model ConnectUnknown
  Ground a, b;
equation
  connect(a.p, b.q);
end ConnectUnknown;
