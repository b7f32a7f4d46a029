model DefinedByItself
  Real x = x;
end DefinedByItself;
