model Part
  outer Real g;
  Real x = g;
end Part;

model InnerOuter
  Part p;
end InnerOuter;
