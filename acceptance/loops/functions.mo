package Functions "Functions of arrays, in loops"
  function product
    input Real v[2];
    output Real y;
  algorithm
    y := v[1]*v[2];
  end product;

  model Scaled
    Real n(start = 1);
  equation
    n = cos(product({n, time}));
  end Scaled;

  model Shifted
    Real n(start = 1);
  equation
    n = cos(n) + product({1, time - 1});
  end Shifted;
end Functions;
