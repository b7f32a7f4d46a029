model Expressions
  Real a = -b^2*c .^ d/e ./ f - (g - h) .+ i .- j;
  Boolean p = a <= b and not (c == d) or e <> f;
  Real q[:] = {1, 2.5, .5, 1e-3, 7.};
  Real r[2, 2] = [1, 2; 3, 4];
  Real s[3] = {i^2 for i in 1:3};
  Real t = sum(i*j for i in 1:3, j in 2:2:8);
  Real u = integral(function f(a = 1, b = 2), x = function .P.g());
  Real v = if a > 0 then 1 elseif a < 0 then -1 else (if p then 0 else 2);
  Real w = x.y[1, :].z[2:end - 1, end];
  Real x1 = (f(x))[2] + (r).re + pure(g(1)) + .A.B;
  String name = "quote \" slash \\ tab \t" + 'odd name'.'it\'s';
end Expressions;
