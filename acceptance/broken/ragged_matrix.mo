model RaggedMatrix
  Real a[2, 2] = [1, 2; 3];
end RaggedMatrix;
