package P
  type T2 = T1(max = 2);
  type T1 = T0(min = 1);
  type T0 = Real;
  model B2 extends B1; extends B1; end B2;
  model B1 extends B0; extends B0; end B1;
  model B0 constant Real c2 = c1 + c1; constant Real c1 = 1; end B0;
  function f1 input Real x; output Real y; algorithm y := f0(f0(x)); end f1;
  function f0 input Real x; output Real y; algorithm y := x; end f0;
  model A extends B2; T2 y[size(x, 1)] = {f1(f1(((((time))))))}; Real x[1]; end A;
end P;
