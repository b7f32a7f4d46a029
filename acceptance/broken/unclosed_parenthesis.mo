model UnclosedParenthesis
  Real x;
equation
  x = 2*(1 + 3;
end UnclosedParenthesis;
