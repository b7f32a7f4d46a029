within Half.Inner;
model Part
  Real x = time;
end Part;
