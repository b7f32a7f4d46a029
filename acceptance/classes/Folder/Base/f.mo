within Folder.Base;
function f
  input Real x;
  output Real y;
algorithm
  y := k*x + g(x);
end f;
