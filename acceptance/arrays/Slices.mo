// Slices whose bounds only the run knows (specification 3.6, section 10.5).
package Slices
  model Sum
    Real v[4] = {1, 2, 3, 4}*time, s;
    Integer k;
  algorithm
    k := if time > 0.5 then 3 else 2;
    s := sum(v[1:k]);
  end Sum;

  model Assigned
    Real v[5], w[5], s;
    Integer k(start = 0);
  algorithm
    when time > 0.3 then
      k := 2;
    elsewhen time > 0.6 then
      k := 4;
    end when;
    w := {1, 2, 3, 4, 5}*time;
    v := zeros(5);
    v[1:k] := w[2:k + 1];
    v[k + 1:5] := fill(time, 5 - k);
    s := v*w;
  end Assigned;

  function determinant "By elimination, with a column that a loop seeks"
    input Real a[:, size(a, 1)];
    output Real d = 1;
  protected
    Real m[size(a, 1), size(a, 1)] = a;
    Real row[size(a, 1)];
    Integer p, n = size(a, 1), i = 1;
  algorithm
    while i <= n loop
      p := i;
      while abs(m[p, i]) < 1e-12 loop
        p := p + 1;
      end while;
      if p <> i then
        row := m[i, :];
        m[i, i:n] := m[p, i:n];
        m[p, i:n] := row[i:n];
        d := -d;
      end if;
      d := d*m[i, i];
      for j in i + 1:n loop
        m[j, i:n] := m[j, i:n] - m[j, i]/m[i, i]*m[i, i:n];
      end for;
      i := i + 1;
    end while;
  end determinant;

  model Elimination
    Real d = determinant({{0, 2, 1}, {1, time, 3}, {2, 1, 1}});
  end Elimination;

  function search
    input Real x[:];
    input Real bound;
    output Integer n = 0;
    output Real rest;
  protected
    Integer last = size(x, 1);
  algorithm
    while n < last and sum(x[1:n]) < bound loop
      n := n + 1;
    end while;
    if sum(x[n + 1:last]) > 1 then
      rest := max(x[n + 1:last]);
    else
      rest := -1;
    end if;
    assert(sum(x[1:n]) >= bound, "the sum is below " + String(bound));
  end search;

  model Search
    Integer n;
    Real rest;
  equation
    (n, rest) = search({1, 2, 3, 4, 0.5}, 5*time + 0.5);
  end Search;

  model Called
    function mean
      input Real x[:];
      output Real m = sum(x)/size(x, 1);
    algorithm
    end mean;
    function recent
      input Real x[:];
      input Integer n;
      output Real m;
    algorithm
      m := mean(x[size(x, 1) - n + 1:size(x, 1)]) + sum(x[5:-2:n]);
    end recent;
    Real y = recent({1, 2, 3, 4, 10}, integer(3*time) + 1);
    Real known = recent({1, 2, 3, 4, 10}, 2);
  end Called;

  model Beyond
    function f
      input Real x[:];
      input Integer n;
      output Real s;
    algorithm
      s := sum(x[1:n]);
    end f;
    Real s = f({1, 2, 3}, integer(10*time));
  end Beyond;
end Slices;
