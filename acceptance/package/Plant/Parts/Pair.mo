within Plant.Parts;
model Pair
  Tank a;
  Tank b(area = 3);
end Pair;
