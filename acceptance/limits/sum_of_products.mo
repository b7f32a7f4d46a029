model SumOfProducts
  Real x = sum(sum(i*j*time for i in 1:10000) for j in 1:10000);
end SumOfProducts;
