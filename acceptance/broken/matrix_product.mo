model MatrixProduct
  Real a[2, 3] = [1, 2, 3; 4, 5, 6];
  Real b[2] = {1, 2};
  Real c[2];
equation
  c = a*b;
end MatrixProduct;
