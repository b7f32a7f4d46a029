// Arrays of records whose elements have fields of different sizes
// (specification 3.6, sections 4.8.1 and 12.6: each is a value of its own).
package Ragged
  record W
    Real w[:];
  end W;
  record P
    Integer n;
    Real c[n];
    W more;
  end P;

  model Parameters
    parameter W r[2] = {W({1, 2}), W({3, 4, 5})};
    Real y = sum(r[2].w)*time;
  end Parameters;

  function total
    input W r;
    output Real s = sum(r.w);
  algorithm
  end total;

  function ends
    input W r[2];
    output Real s;
  algorithm
    s := r[1].w[end] + 10*r[2].w[end];
  end ends;

  model Functions
    parameter W r[2] = {W({1, 2}), W({3, 4, 5})};
    W copy[2] = r;
    Real s[2] = total(r)*time, y = ends(copy), z = total(copy[1]);
    Real w[3] = copy[2].w;
  end Functions;


  model Inner
    constant P p[2] = {P(1, {7}, W({1, 2})), P(2, {8, 9}, W({3}))};
    parameter Integer k = 2;
    Real y = p[k].c[2]*time + sum(p[1].more.w) + p[2].more.w[1];
  end Inner;

  model Unknowns
    model Part
      parameter Integer n;
      Real x[n](each start = 1, each fixed = true);
    equation
      der(x) = -x;
    end Part;
    Part part[3](n = {1, 2, 3});
    W all[3] = {W(part[1].x), W(part[2].x), W(part[3].x)};
    Real y = sum(all[3].w) + all[2].w[2];
  end Unknowns;

  model Switched
    parameter Boolean first = false;
    parameter W a[2] = {W({1, 2}), W({3, 4, 5})};
    parameter W b[2] = {W({6, 7}), W({8, 9, 10})};
    parameter W r[2] = if first then a else b;
    Real y = sum(r[2].w)*time;
  end Switched;
end Ragged;
