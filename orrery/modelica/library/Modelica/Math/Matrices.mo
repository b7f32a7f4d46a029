within Modelica.Math;
package Matrices "Functions of matrices"
  function solve "x of A*x = b, by elimination with pivots"
    input Real A[:, size(A, 1)] "Square matrix";
    input Real b[size(A, 1)] "Right side";
    output Real x[size(b, 1)] "Solution";
  protected
    Integer n = size(A, 1);
    Real M[size(A, 1), size(A, 1)] = A;
    Integer p;
    Real swap;
    Real factor;
  algorithm
    x := b;
    for k in 1:n loop
      p := k;
      for i in k + 1:n loop
        if abs(M[i, k]) > abs(M[p, k]) then
          p := i;
        end if;
      end for;
      for j in 1:n loop
        swap := M[k, j];
        M[k, j] := M[p, j];
        M[p, j] := swap;
      end for;
      swap := x[k];
      x[k] := x[p];
      x[p] := swap;
      assert(abs(M[k, k]) > 0, "cannot solve A*x = b: A is singular");
      for i in k + 1:n loop
        factor := M[i, k]/M[k, k];
        for j in k:n loop
          M[i, j] := M[i, j] - factor*M[k, j];
        end for;
        x[i] := x[i] - factor*x[k];
      end for;
    end for;
    for k in 1:n loop
      for j in n + 2 - k:n loop
        x[n + 1 - k] := x[n + 1 - k] - M[n + 1 - k, j]*x[j];
      end for;
      x[n + 1 - k] := x[n + 1 - k]/M[n + 1 - k, n + 1 - k];
    end for;
  end solve;

  function inv "Inverse of a square matrix"
    input Real A[:, size(A, 1)] "Square matrix";
    output Real result[size(A, 1), size(A, 2)] "Its inverse";
  protected
    Real e[size(A, 1)];
  algorithm
    for j in 1:size(A, 1) loop
      for i in 1:size(A, 1) loop
        e[i] := if i == j then 1 else 0;
      end for;
      result[:, j] := solve(A, e);
    end for;
  end inv;

  function trace "Sum of the diagonal"
    input Real A[:, size(A, 1)] "Square matrix";
    output Real result = 0 "Sum of A[i, i]";
  algorithm
    for i in 1:size(A, 1) loop
      result := result + A[i, i];
    end for;
  end trace;

  function det "Determinant, by elimination with pivots"
    input Real A[:, size(A, 1)] "Square matrix";
    output Real result = 1 "Determinant";
  protected
    Integer n = size(A, 1);
    Real M[size(A, 1), size(A, 1)] = A;
    Integer p;
    Real swap;
    Real factor;
  algorithm
    for k in 1:n loop
      p := k;
      for i in k + 1:n loop
        if abs(M[i, k]) > abs(M[p, k]) then
          p := i;
        end if;
      end for;
      if p <> k then
        result := -result;
        for j in 1:n loop
          swap := M[k, j];
          M[k, j] := M[p, j];
          M[p, j] := swap;
        end for;
      end if;
      result := result*M[k, k];
      for i in k + 1:n loop
        factor := if M[k, k] == 0 then 0 else M[i, k]/M[k, k];
        for j in k:n loop
          M[i, j] := M[i, j] - factor*M[k, j];
        end for;
      end for;
    end for;
  end det;

  function eigenValues "Eigenvalues, by LAPACK"
    input Real A[:, size(A, 1)] "Square matrix";
    output Real eigenvalues[size(A, 1), 2] "Real and imaginary parts";
    output Real eigenvectors[size(A, 1), size(A, 1)]
      "Columns; of a pair v1 + i*v2, v1 - i*v2 the first is v1, the second v2";
  protected
    Real re[size(A, 1)];
    Real im[size(A, 1)];
    Integer info;
  algorithm
    (re, im, eigenvectors, info) := LAPACK.dgeev(A);
    assert(info == 0, "the eigenvalues of A do not converge");
    for i in 1:size(A, 1) loop
      eigenvalues[i, 1] := re[i];
      eigenvalues[i, 2] := im[i];
    end for;
  end eigenValues;

  function singularValues "Singular values, the largest first, by LAPACK"
    input Real A[:, :] "Matrix";
    output Real sigma[min(size(A, 1), size(A, 2))] "Singular values";
  protected
    Integer info;
  algorithm
    (sigma, info) := LAPACK.dgesvd_sigma(A);
    assert(info == 0, "the singular values of A do not converge");
  end singularValues;

  function norm "The p-norm of a matrix, p = 1, 2 or Constants.inf"
    input Real A[:, :] "Matrix";
    input Real p(min = 1) = 2 "Kind of norm";
    output Real result "Norm";
  algorithm
    assert(p == 1 or p == 2 or p >= Modelica.Constants.inf,
      "a matrix has a norm for p = 1, 2 or Modelica.Constants.inf");
    if p == 1 then
      result := max(sum(abs(A[:, j])) for j in 1:size(A, 2));
    elseif p == 2 then
      result := max(singularValues(A));
    else
      result := max(sum(abs(A[i, :])) for i in 1:size(A, 1));
    end if;
  end norm;

  function conditionNumber "norm(A, p)*norm(inv(A), p)"
    input Real A[:, size(A, 1)] "Square matrix";
    input Real p(min = 1) = 2 "Kind of norm";
    output Real result "Condition number; Constants.inf where A is singular";
  protected
    Real sigma[size(A, 1)];
  algorithm
    if p == 2 then
      sigma := singularValues(A);
      result := if min(sigma) > 0 then max(sigma)/min(sigma) else
        Modelica.Constants.inf;
    else
      result := norm(A, p)*norm(inv(A), p);
    end if;
  end conditionNumber;

  function rank "The number of singular values that are not rounding"
    input Real A[:, :] "Matrix";
    input Real eps = 0
      "What is below is 0; 0: rounding of the largest decides";
    output Integer result = 0 "Rank";
  protected
    Real sigma[min(size(A, 1), size(A, 2))];
    Real least;
  algorithm
    sigma := singularValues(A);
    least := if eps > 0 then eps else max(size(A, 1), size(A, 2))*
      max(sigma)*Modelica.Constants.eps;
    for i in 1:size(sigma, 1) loop
      result := if sigma[i] > least then i else result;
    end for;
  end rank;

  function leastSquares "The shortest x of least |A*x - b|, by LAPACK"
    input Real A[:, :] "Matrix";
    input Real b[size(A, 1)] "Right side";
    input Real rcond = 100*Modelica.Constants.eps
      "What is less than this part of A's largest part counts as 0";
    output Real x[size(A, 2)] "Solution";
    output Integer rank "Of A";
  protected
    Real xx[max(size(A, 1), size(A, 2))];
    Integer info;
  algorithm
    (xx, info, rank) := LAPACK.dgelsy_vec(A, b, rcond);
    assert(info == 0, "cannot solve A*x = b in the sense of least squares");
    x := xx[1:size(A, 2)];
  end leastSquares;

  function exp "exp(A*T), by a series, scaled and squared"
    input Real A[:, size(A, 1)] "Square matrix";
    input Real T = 1 "Factor, mostly a time";
    output Real phi[size(A, 1), size(A, 1)] = identity(size(A, 1)) "exp(A*T)";
  protected
    constant Integer terms = 18 "Of a matrix of norm 1/2: to rounding";
    Integer n = size(A, 1);
    Real M[size(A, 1), size(A, 1)];
    Integer squarings = 0;
    Real reach = 0 "Of A*T: the greatest sum of a column";
  algorithm
    for j in 1:n loop
      reach := max(reach, sum(abs(A[:, j])));
    end for;
    reach := reach*abs(T);
    while reach > 0.5 loop
      reach := reach/2;
      squarings := squarings + 1;
    end while;
    M := A*T/2^squarings;
    for k in 1:terms loop
      phi := identity(n) + M*phi/(terms + 1 - k);
    end for;
    for k in 1:squarings loop
      phi := phi*phi;
    end for;
  end exp;

  package LAPACK "Functions of LAPACK"
    function dgeev "Eigenvalues and right eigenvectors of a matrix"
      input Real A[:, size(A, 1)];
      output Real eigenReal[size(A, 1)];
      output Real eigenImag[size(A, 1)];
      output Real eigenVectors[size(A, 1), size(A, 1)];
      output Integer info;
    protected
      Real work[12*size(A, 1)];
      Real Awork[size(A, 1), size(A, 1)] = A;
      Real none[1];
    external "FORTRAN 77" dgeev("N", "V", size(A, 1), Awork, size(A, 1),
      eigenReal, eigenImag, none, 1, eigenVectors, size(A, 1), work,
      12*size(A, 1), info) annotation(Library = "lapack");
    end dgeev;

    function dgesvd_sigma "Singular values of a matrix"
      input Real A[:, :];
      output Real sigma[min(size(A, 1), size(A, 2))];
      output Integer info;
    protected
      Real work[5*size(A, 1) + 5*size(A, 2)];
      Real Awork[size(A, 1), size(A, 2)] = A;
      Real none[1];
    external "FORTRAN 77" dgesvd("N", "N", size(A, 1), size(A, 2), Awork,
      size(A, 1), sigma, none, 1, none, 1, work,
      5*size(A, 1) + 5*size(A, 2), info) annotation(Library = "lapack");
    end dgesvd_sigma;

    function dgelsy_vec "The shortest solution of least squares"
      input Real A[:, :];
      input Real b[size(A, 1)];
      input Real rcond = 0;
      output Real x[max(size(A, 1), size(A, 2))] =
        cat(1, b, zeros(max(size(A, 1), size(A, 2)) - size(A, 1)));
      output Integer info;
      output Integer rank;
    protected
      Real Awork[size(A, 1), size(A, 2)] = A;
      Integer pivots[size(A, 2)] = zeros(size(A, 2));
      Real work[4*(size(A, 1) + size(A, 2)) + 8];
    external "FORTRAN 77" dgelsy(size(A, 1), size(A, 2), 1, Awork,
      size(A, 1), x, max(size(A, 1), size(A, 2)), pivots, rcond, rank, work,
      4*(size(A, 1) + size(A, 2)) + 8, info) annotation(Library = "lapack");
    end dgelsy_vec;
  end LAPACK;
end Matrices;
