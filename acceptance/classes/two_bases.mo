package TwoBases
  package P
    constant Real k = 1;
  end P;
  package Q
    extends P(k = 4);
  end Q;
  model A
    replaceable package M = P;
    Real x = M.k*time;
  end A;
  model B
    replaceable package M = Q;
    Real y = 10*M.k*time;
  end B;
  model C
    extends A(redeclare replaceable package M = Q);
    extends B;
  end C;
end TwoBases;
