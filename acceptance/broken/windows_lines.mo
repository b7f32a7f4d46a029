model WindowsLines
  Real x;
equation
  x = y;
end WindowsLines;
