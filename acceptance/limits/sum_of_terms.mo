model SumOfTerms
  Real x = sum(i*time for i in 1:100000000);
end SumOfTerms;
