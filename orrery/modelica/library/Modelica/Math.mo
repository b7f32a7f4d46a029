within Modelica;
package Math "Functions of numbers, vectors and matrices"
  package Vectors "Functions of vectors"
    function isEqual "Whether two vectors differ by eps at most"
      input Real v1[:] "First vector";
      input Real v2[:] "Second vector";
      input Real eps(min = 0) = 0 "Difference that is allowed";
      output Boolean result = true "Whether they are equal";
    algorithm
      result := size(v1, 1) == size(v2, 1);
      for i in 1:min(size(v1, 1), size(v2, 1)) loop
        result := result and abs(v1[i] - v2[i]) <= eps;
      end for;
    end isEqual;

    function norm "The p-norm of a vector; p = Constants.inf: the largest"
      input Real v[:] "Vector";
      input Real p(min = 1) = 2 "Kind of norm";
      output Real result = 0 "Norm";
    algorithm
      if p == 2 then
        result := sqrt(v*v);
      elseif p >= Modelica.Constants.inf then
        result := if size(v, 1) > 0 then max(abs(v)) else 0;
      elseif p == 1 then
        result := sum(abs(v));
      else
        result := sum(abs(v[i])^p for i in 1:size(v, 1))^(1/p);
      end if;
    end norm;

    function length "Euclidean length of a vector"
      input Real v[:] "Vector";
      output Real result "Length";
    algorithm
      result := sqrt(v*v);
    end length;

    function normalize "The vector of length 1 in the same direction"
      input Real v[:] "Vector";
      input Real eps(min = 0) = 100*Modelica.Constants.eps
        "Shorter vectors are divided by eps";
      output Real result[size(v, 1)] "Its direction";
    algorithm
      result := v/max(sqrt(v*v), eps);
    end normalize;

    function reverse "The elements in the opposite order"
      input Real v[:] "Vector";
      output Real result[size(v, 1)] "From the last to the first";
    algorithm
      for i in 1:size(v, 1) loop
        result[i] := v[size(v, 1) + 1 - i];
      end for;
    end reverse;
  end Vectors;

  package Polynomials "Polynomials; the coefficient of the highest power first"
    function evaluate "p[1]*u^(n-1) + ... + p[n], by Horner's rule"
      input Real p[:] "Coefficients";
      input Real u "Where";
      output Real y "Value";
    algorithm
      y := 0;
      for i in 1:size(p, 1) loop
        y := y*u + p[i];
      end for;
    end evaluate;

    function derivative "Coefficients of the derivative"
      input Real p1[:] "Coefficients";
      output Real p2[size(p1, 1) - 1] "Those of the derivative";
    protected
      Integer n = size(p1, 1);
    algorithm
      for i in 1:n - 1 loop
        p2[i] := p1[i]*(n - i);
      end for;
    end derivative;

    function integral "Coefficients of the integral that is 0 at 0"
      input Real p1[:] "Coefficients";
      output Real p2[size(p1, 1) + 1] "Those of the integral";
    protected
      Integer n = size(p1, 1);
    algorithm
      for i in 1:n loop
        p2[i] := p1[i]/(n + 1 - i);
      end for;
      p2[n + 1] := 0;
    end integral;
  end Polynomials;

  package BooleanVectors "Functions of vectors of Booleans"
    function allTrue "Whether all elements are true"
      input Boolean b[:] "Vector";
      output Boolean result = true "Whether all are";
    algorithm
      for i in 1:size(b, 1) loop
        result := result and b[i];
      end for;
    end allTrue;

    function anyTrue "Whether an element is true"
      input Boolean b[:] "Vector";
      output Boolean result = false "Whether one is";
    algorithm
      for i in 1:size(b, 1) loop
        result := result or b[i];
      end for;
    end anyTrue;

    function oneTrue "Whether just one element is true"
      input Boolean b[:] "Vector";
      output Boolean result "Whether just one is";
    protected
      Integer count = 0;
    algorithm
      for i in 1:size(b, 1) loop
        if b[i] then
          count := count + 1;
        end if;
      end for;
      result := count == 1;
    end oneTrue;

    function countTrue "Number of elements that are true"
      input Boolean b[:] "Vector";
      output Integer n = 0 "How many";
    algorithm
      for i in 1:size(b, 1) loop
        if b[i] then
          n := n + 1;
        end if;
      end for;
    end countTrue;

    function firstTrueIndex "Number of the first element that is true, else 0"
      input Boolean b[:] "Vector";
      output Integer index = 0 "Which one";
    algorithm
      for i in 1:size(b, 1) loop
        if b[i] and index == 0 then
          index := i;
        end if;
      end for;
    end firstTrueIndex;
  end BooleanVectors;

  function sin "Sine of an angle in radians"
    input Modelica.Units.SI.Angle u "Angle";
    output Real y "Result";
  algorithm
    y := .sin(u);
  end sin;

  function cos "Cosine of an angle in radians"
    input Modelica.Units.SI.Angle u "Angle";
    output Real y "Result";
  algorithm
    y := .cos(u);
  end cos;

  function tan "Tangent of an angle in radians"
    input Modelica.Units.SI.Angle u "Angle";
    output Real y "Result";
  algorithm
    y := .tan(u);
  end tan;

  function asin "Angle in radians whose sine is u"
    input Real u "Number";
    output Modelica.Units.SI.Angle y "Angle";
  algorithm
    y := .asin(u);
  end asin;

  function acos "Angle in radians whose cosine is u"
    input Real u "Number";
    output Modelica.Units.SI.Angle y "Angle";
  algorithm
    y := .acos(u);
  end acos;

  function atan "Angle in radians whose tangent is u"
    input Real u "Number";
    output Modelica.Units.SI.Angle y "Angle";
  algorithm
    y := .atan(u);
  end atan;

  function atan2 "Angle in radians of the point (u2, u1)"
    input Real u1 "Ordinate";
    input Real u2 "Abscissa";
    output Modelica.Units.SI.Angle y "Angle";
  algorithm
    y := .atan2(u1, u2);
  end atan2;

  function atan3 "The angle of the point (u2, u1) that is nearest to y0"
    input Real u1 "Ordinate";
    input Real u2 "Abscissa";
    input Modelica.Units.SI.Angle y0 = 0 "Angle to be near to";
    output Modelica.Units.SI.Angle y "Angle";
  protected
    Real a;
  algorithm
    a := .atan2(u1, u2);
    y := a + 2*Modelica.Constants.pi*
      floor((y0 - a)/(2*Modelica.Constants.pi) + 0.5);
  end atan3;

  function sinh "Hyperbolic sine"
    input Real u "Number";
    output Real y "Result";
  algorithm
    y := .sinh(u);
  end sinh;

  function cosh "Hyperbolic cosine"
    input Real u "Number";
    output Real y "Result";
  algorithm
    y := .cosh(u);
  end cosh;

  function tanh "Hyperbolic tangent"
    input Real u "Number";
    output Real y "Result";
  algorithm
    y := .tanh(u);
  end tanh;

  function exp "Exponential function"
    input Real u "Number";
    output Real y "Result";
  algorithm
    y := .exp(u);
  end exp;

  function log "Natural logarithm"
    input Real u "Number";
    output Real y "Result";
  algorithm
    y := .log(u);
  end log;

  function log10 "Logarithm to the base 10"
    input Real u "Number";
    output Real y "Result";
  algorithm
    y := .log10(u);
  end log10;

  function asinh "Number whose hyperbolic sine is u"
    input Real u "Number";
    output Real y "Result";
  algorithm
    y := if u >= 0 then .log(u + sqrt(u*u + 1)) else
      -.log(sqrt(u*u + 1) - u);
  end asinh;

  function acosh "Number, not negative, whose hyperbolic cosine is u"
    input Real u "Number";
    output Real y "Result";
  algorithm
    y := 2*.log(sqrt((u + 1)/2) + sqrt((u - 1)/2));
  end acosh;

  function wrapAngle "An angle within (-pi, pi] or [0, 2*pi)"
    input Modelica.Units.SI.Angle u "Angle";
    input Boolean positiveRange = false "Whether the range is [0, 2*pi)";
    output Modelica.Units.SI.Angle y "The same angle within the range";
  protected
    constant Real turn = 2*Modelica.Constants.pi;
  algorithm
    y := if positiveRange then u - turn*floor(u/turn) else
      u - turn*ceil(u/turn - 0.5);
  end wrapAngle;

  function isEqual "Whether two numbers differ by eps at most"
    input Real s1 "First number";
    input Real s2 "Second number";
    input Real eps(min = 0) = 0 "Difference that is allowed";
    output Boolean result "Whether they are equal";
  algorithm
    result := abs(s1 - s2) <= eps;
  end isEqual;
end Math;
