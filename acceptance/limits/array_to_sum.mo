model ArrayToSum
  Real x = sum(fill(time, 100000000));
end ArrayToSum;
