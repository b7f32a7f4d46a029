// Arrays without elements (specification 3.6, sections 10.1.2 and 10.7): each
// operation keeps the sizes that it has, sums are 0, products 1.
package NoElements
  model Column
    function total
      input Real x[:];
      output Real s = 1 + sum(x);
    algorithm
    end total;
    Real x[0, 3], s = total(x[:, 2]);
  end Column;

  model RowOfMany
    function count
      input Real x[:, :];
      output Integer n = size(x, 1) + 10*size(x, 2);
    algorithm
    end count;
    Real x[2, 0, 3], y[3, 4, 0];
    Integer n = count(x[1, :, :]), m = count(y[:, 2, :]), k = count(y[1, :, :]);
  end RowOfMany;

  model Operations
    parameter Integer n = 0;
    Real a[n, 3], b[3, n], v[3] = {1, 2, 3}*time, w[n];
    Real square[3, 3] = b*a + diagonal(v);
    Real row[n] = a*v, column[3] = b*w + v;
    Real joined[n + 3] = cat(1, w, v), across[3, n + 3] = [b, diagonal(v)];
    Real least = min(w), most = max(w), all = times(w), dot = w*w + time;
    Real turned[n, 3] = transpose(b), third[n] = a[:, 3];
    function times
      input Real x[:];
      output Real p = product(x);
    algorithm
    end times;
  equation
    a = zeros(n, 3);
    b = zeros(3, n);
    w = zeros(n);
  end Operations;

  model Records
    record R
      Real p, q[2];
    end R;
    function f
      input R r;
      output Real y = 2*r.p + r.q[1];
    algorithm
    end f;
    function g
      input R r[:];
      output Real y = 1 + sum(r.p) + sum(r.q);
    algorithm
    end g;
    function twice
      input R r;
      output R s = R(2*r.p, r.q);
    algorithm
    end twice;
    parameter Integer n = 0;
    R r[n](p = fill(1.0, n), q = fill(3.0, n, 2));
    R t[n] = twice(r);
    Real y[n] = f(r), z = g(r) + sum(y) + sum(t.p) + time;
  end Records;

  model Matrices
    parameter Integer n = 0;
    Real x[n] = fill(1.0, n), a[n, 2] = [x, x], s = sum(a) + time;
    Real b[2, 2*n] = [zeros(2, n), zeros(2, n)];
    Real c[n + 1, 2] = [a; 3, 4], d[1, 2 + n] = [{{1, 2}}, zeros(1, n)];
    Real e[2*n, 2] = [a; a], t = sum(b) + sum(c) + sum(d) + sum(e);
  end Matrices;

  model Members
    connector Pin
      Real v;
      flow Real i;
    end Pin;
    model Load
      Pin p;
      Real q(start = 0, fixed = true);
    equation
      der(q) = p.i;
      p.v = q;
    end Load;
    parameter Integer n = 0;
    Pin p[n];
    Load load[n];
    Real x[n] = der(p.v), y = sum(der(p.v)) + sum(load.p.i) + 3*time;
    Real z = sum(der(load.q)) + size(p.v, 1);
  equation
    connect(p, load.p);
  end Members;

  model Loops
    function g
      input Real t[:];
      output Real y = 1;
    algorithm
      for k in 1:size(t, 1) loop
        y := y + t[1];
      end for;
    end g;
    parameter Real s = g(fill(1.0, 0));
    Real y = s*time;
  end Loops;

  model LoopsOfFormulas
    function g
      input Real t[:];
      output Real y;
    protected
      Real u[size(t, 1)];
    algorithm
      u := {t[1] + t[k] for k in 1:size(t, 1)};
      y := 1 + sum(t[1]*t[k] for k in 1:size(t, 1)) + sum(u);
      for i in 1:size(t, 1), j in i:size(t, 1) loop
        y := y + t[1]*t[j];
      end for;
      if size(t, 1) > 0 then
        y := y + t[1];
      end if;
    end g;
    parameter Integer n = 0;
    Real x[n], w[n], y = g(x)*time, z = sum(x[1]*x[i] for i in 1:n) + time;
  equation
    for i in 1:n loop
      x[i] = x[1] + i;
      w[i] = x[n];
    end for;
  end LoopsOfFormulas;

  model LoopsOfComponents
    model Tank
      Real h = 2*time;
    end Tank;
    parameter Integer n = 0;
    Tank tank[n];
    Real y = sum(tank[1].h*tank[i].h for i in 1:n) + time;
    Real z;
  algorithm
    z := time;
    for i in 1:n loop
      z := z + tank[1].h;
    end for;
  end LoopsOfComponents;
end NoElements;
