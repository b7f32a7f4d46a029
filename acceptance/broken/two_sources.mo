connector RealInput = input Real;
connector RealOutput = output Real;

block Source
  RealOutput y;
equation
  y = time;
end Source;

block Sink
  RealInput u;
  Real x;
equation
  x = u;
end Sink;

model TwoSources
  Source a, b;
  Sink sink;
equation
  connect(a.y, sink.u);
  connect(b.y, sink.u);
end TwoSources;
