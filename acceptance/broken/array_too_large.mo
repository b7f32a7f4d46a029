model ArrayTooLarge
  Real x[1000000000];
end ArrayTooLarge;
