model LoopWithoutSolution
  Real p;
  Real a1;
  Real a2;
equation
  p = a1*a2;
  a1 = 10 + p;
  a2 = 15 + p;
end LoopWithoutSolution;
