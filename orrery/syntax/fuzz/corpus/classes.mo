within Orrery.Test;
encapsulated package Classes "Every kind of class"
  import A.B;
  import C = D.E;
  import F.*;
  import G.H.{I, J} "two";
  final constant Real pi = 3.14159;
  type Length = Real(final quantity = "Length", final unit = "m", min = 0);
  type Vector = input Real[3](each start = 1.5e-3) "three" annotation(Icon());
  type Colour = enumeration(red "r", green, blue annotation(Dialog(x = 1)));
  type Any = enumeration(:);
  partial record R
    Real x, y[2];
  end R;
  operator record Complex
    Real re;
    Real im;
    encapsulated operator 'constructor'
      function fromReal
        input Real re;
        output Complex result(re = re, im = 0);
      algorithm
      end fromReal;
    end 'constructor';
    operator function '+'
      input Complex a;
      output Complex c;
    algorithm
      c := Complex(a.re + 1, a.im);
    end '+';
  end Complex;
  expandable connector Bus
  end Bus;
  connector Pin
    Real v;
    flow Real i;
    stream Real h;
  end Pin;
  function df = der(f, x, y) "partial derivative";
  pure function g
    input Real u[:];
    output Real y;
  external "C" y = g_c(u, size(u, 1)) annotation(Library = "m");
    annotation(Inline = false);
  end g;
  impure function noise
    output Real y;
    external;
  end noise;
  annotation(version = "1");
end Classes;
