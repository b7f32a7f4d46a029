package External "Functions of C and Fortran"
  function square "A static function of the C text"
    input Real x;
    output Real y;
    external "C" y = my_square(x) annotation(
      Include = "static double my_square(double x) { return x*x; }");
  end square;

  function cbrt "Of the C library, by the usual call"
    input Real x;
    output Real y;
    external "C";
  end cbrt;

  function statistics "Arrays, and outputs of each type"
    input Real v[:];
    input Integer shift;
    output Real mean;
    output Real shifted[size(v, 1)];
    output Integer above;
    output Boolean isLarge;
    external "C" statistics(v, size(v, 1), shift, mean, shifted, above, isLarge)
      annotation(Include = "#include \"statistics.h\"");
  end statistics;

  function rowSums "Rows of a matrix follow each other"
    input Real A[:, :];
    output Real sums[size(A, 1)];
    external "C" annotation(Include = "
      #include <stddef.h>
      void rowSums(const double* A, size_t rows, size_t columns,
                   double* sums, size_t length) {
        for (size_t i = 0; i < length; ++i) {
          sums[i] = 0;
          for (size_t j = 0; j < columns; ++j) sums[i] += A[i*columns + j];
        }
      }");
  end rowSums;

  function solve "By LAPACK: the right side becomes the solution"
    input Real A[:, size(A, 1)];
    input Real b[size(A, 1)];
    output Real x[size(A, 1)] = b;
    output Integer info;
  protected
    Real work[size(A, 1), size(A, 1)] = A;
    Integer pivots[size(A, 1)];
    external "FORTRAN 77" dgesv(size(A, 1), 1, work, size(A, 1), pivots, x,
      size(A, 1), info) annotation(Library = "lapack");
  end solve;

  function infinityNorm "Of Fortran, with a text and a result"
    input Real A[:, :];
    output Real norm;
  protected
    Real work[size(A, 1)];
    external "FORTRAN 77" norm = dlange("I", size(A, 1), size(A, 2), A,
      size(A, 1), work) annotation(Library = {"blas", "lapack"});
  end infinityNorm;

  function checkedRoot "Refuses what has none"
    input Real x;
    input String name;
    output Real y;
    external "C" y = checked_root(x, name) annotation(Include = "
      #include <math.h>
      #include \"ModelicaUtilities.h\"
      double checked_root(double x, const char* name) {
        if (x < 0) ModelicaFormatError(\"%s = %g has no root\", name, x);
        return sqrt(x);
      }");
  end checkedRoot;

  function twiceGamma "Its names are those of the C text, not those of libm"
    input Real x;
    output Real y;
    external "C" y = twice_gamma(x) annotation(Include = "
      double gamma(double x) { return 3*x; }
      double twice_gamma(double x) { return 2*gamma(x); }");
  end twiceGamma;

  function exceedsOne "In C whatever is not 0 is true"
    input Real x;
    output Boolean y;
    external "C" y = is_large(x) annotation(
      Include = "int is_large(double x) { return x > 1 ? -1 : 0; }");
  end exceedsOne;

  model Values
    Real own = twiceGamma(2);
    Boolean large = exceedsOne(2), small = exceedsOne(0.5);
    parameter Real nine = square(3);
    Real x(start = 1, fixed = true);
    Real three = cbrt(27);
    Real mean, shifted[3];
    Integer above;
    Boolean isLarge;
    Real sums[2] = rowSums([1, 2, 3; 4, 5, 6*x]);
    Real z[2];
    Integer info;
    Real norm = infinityNorm([1, 2, 3; -4, 5, 6]);
  equation
    der(x) = -square(x);
    (mean, shifted, above, isLarge) = statistics({x, 2, 3}, 10);
    (z, info) = solve([2, 1; 0, 4*x], {x, 8});
  end Values;

  model Prints "Heron's square root, step by step"
    import Modelica.Utilities.Streams.print;
    function root
      input Real a;
      output Real x = a;
    algorithm
      for i in 1:3 loop
        x := (x + a/x)/2;
        print("step " + String(i) + ": " + String(x, significantDigits = 8));
      end for;
    end root;
    discrete Real y(start = 0, fixed = true);
  algorithm
    when sample(0.5, 1) then
      y := root(2);
    end when;
  algorithm
    when sample(0.25, 0.5) then
      print("t = " + String(time));
    end when;
  end Prints;

  model OnlyChecks
    function check
      input Real x;
    algorithm
      assert(x < 0.5, "too late");
    end check;
    Real x = time;
  algorithm
    check(x);
  end OnlyChecks;

  model Refused
    Real x(start = 1, fixed = true);
    Real y = checkedRoot(x, "x");
  equation
    der(x) = -2;
  end Refused;

  model TooLarge
    Real mean, shifted[2];
    Integer above;
    Boolean isLarge;
  equation
    (mean, shifted, above, isLarge) = statistics({time, 1}, 3000000000);
  end TooLarge;

  model NoLibrary
    function f
      input Real x;
      output Real y;
      external "C" y = f(x) annotation(Library = "nowhere");
    end f;
    Real y = f(time);
  end NoLibrary;

  model NoFunction
    function f
      input Real x;
      output Real y;
      external "C" y = is_in_no_library(x);
    end f;
    Real y = f(time);
  end NoFunction;

  model NoOutput
    function f
      input Real x;
      output Real y;
      external "C" z = sin(x);
    end f;
    Real y = f(time);
  end NoOutput;

  model NoLanguage
    function f
      input Real x;
      output Real y;
      external "Java" y = sin(x);
    end f;
    Real y = f(time);
  end NoLanguage;

  model Sizes
    function f
      input Real A[:, :];
      output Real y;
      external "C" y = f(size(A));
    end f;
    Real y = f([1, 2]);
  end Sizes;

  model Both
    function f
      input Real x;
      output Real y;
    algorithm
      y := 2;
      external "C" y = sin(x);
    end f;
    Real y = f(time);
  end Both;

  model NoRecord
    record R
      Real a;
    end R;
    function f
      input R r;
      output Real y;
      external "C" y = sin(r);
    end f;
    Real y = f(R(time));
  end NoRecord;
end External;
