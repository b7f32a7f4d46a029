model KeywordAsName
  Real flow;
equation
  1 = 1;
end KeywordAsName;
