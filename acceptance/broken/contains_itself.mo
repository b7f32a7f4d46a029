model ContainsItself
  ContainsItself inner_one;
  Real x = 1;
end ContainsItself;
