// Algebraic loops: equations that no order can sort. Look at them with
//   orrery equations loops.mo Loops.Linear
package Loops "Systems of algebraic equations, with and without a loop"

  model Linear "x and y depend on each other"
    Real x, y, z;
  equation
    x = y + 16;
    y = -x - z;
    z = 5;
  end Linear;

  model Causality "The same kind of system, in no causal order at all"
    Real x, y, z;
  equation
    x - y = -6;
    x + y = -z;
    z = 5;
  end Causality;

  model Sorted "Needs sorting only"
    Real a, b, c, d, e;
  equation
    a = b^2 + 3;
    b = sin(c*e);
    c = sqrt(d - 4.5);
    d = 2*3.141592653589793;
    e = time;
  end Sorted;

  model Nonlinear "b, a and e form a nonlinear loop"
    Real a(start = 3), b, c, d, e;
  equation
    a = b^2 + 3;
    b = sin(c*e);
    c = sqrt(d - 4.5);
    d = 2*3.141592653589793;
    e = 0.01*a^2 + 0.1*time;
  end Nonlinear;

  model TwoLoops "One loop feeds another"
    Real a1, a2, a3, p, n1, n2, a4, a5;
  equation
    a1 = 3 + a3;
    a2 = 2 + a3;
    a3 = a1 + a2;
    p = 1.5*a3;
    n1 = -p;
    a4 = n1 + a5;
    a5 = 1 + n2;
    n2 = -a4;
  end TwoLoops;

  model Root "A square root in the loop"
    Real a1(start = 1), a2, s;
  equation
    a1 = 4 + a2;
    a2 = 2 + s;
    s = sqrt(a1);
  end Root;

  model FixedPoints "x = cos x and y = exp(-y)"
    Real x, y;
  equation
    x = cos(x);
    y = exp(-y);
  end FixedPoints;

  model NoSolution "The solutions are complex: p = -12 +- i sqrt(6)"
    Real p, a1, a2;
  equation
    p = a1*a2;
    a1 = 10 + p;
    a2 = 15 + p;
  end NoSolution;
end Loops;
