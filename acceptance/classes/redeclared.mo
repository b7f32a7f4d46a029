package Redeclared
  partial block S
    Real y;
  end S;
  block I
    extends S;
    parameter Real k = 1;
  equation
    y = k*time;
  end I;
  block L
    extends S;
    parameter Real K = 1;
  equation
    y = K*time;
  end L;
  model B0
    replaceable S s;
  end B0;
  model B1
    extends B0(redeclare replaceable I s(k = 3));
  end B1;
  model B2
    extends B1(redeclare L s(K = 5));
  end B2;
end Redeclared;
