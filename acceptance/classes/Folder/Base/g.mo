within Folder.Base;
function g
  input Real x;
  output Real y;
algorithm
  y := 100*x;
end g;
