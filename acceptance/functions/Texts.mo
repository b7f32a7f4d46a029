// Strings in functions: what only the run knows of them shows in messages, in
// comparisons and in what functions give (specification 3.6, sections 3.5, 3.7.1
// and 12.4.4).
package Texts
  model Message
    function f
      input Real p;
      output Real y;
    algorithm
      assert(p < 0.5, "p = " + String(p) + " is too large");
      y := p;
    end f;
    Real y = f(time);
  end Message;

  model MessageOfLoop
    type Level = enumeration(low, high);
    function f
      input Real x[:];
      output Real y = 0;
    protected
      Level level;
      Boolean is_last;
    algorithm
      for i in 1:size(x, 1) loop
        level := if x[i] > 2 then Level.high else Level.low;
        is_last := i == size(x, 1);
        assert(x[i] < 3, "x[" + String(i) + "] = " + String(x[i], format = ".3f")
          + " is " + String(level) + (if is_last then " at the end" else ""));
        y := y + x[i];
      end for;
    end f;
    Real y = f({1, 4*time, 1});
  end MessageOfLoop;

  model Variables
    function g
      input Real x;
      input String mode = "fast";
      output Real y;
    protected
      String m;
    algorithm
      m := "done " + String(x);
      y := if mode == "fast" then 2*x else x;
      assert(y < 10, m);
    end g;
    Real x = g(time), z = g(time, "slow");
  end Variables;

  function kindOf "The name of a size"
    input Real x;
    output String kind;
    output Real half = x/2;
  algorithm
    if x < 0.3 then
      kind := "small";
      return;
    elseif x < 0.6 then
      kind := "middle";
    else
      kind := "large";
    end if;
    kind := kind + "-" + String(integer(10*x));
  end kindOf;

  function rank
    input String kind;
    output Integer n;
  algorithm
    n := if kind == "small" then 1 elseif kind == "middle-5" then 2
         elseif kind > "large-" and kind < "large-9" then 3 else 4;
  end rank;

  model Branches
    function classify
      input Real x;
      output Integer n;
    protected
      String kind;
      Real half;
    algorithm
      (kind, half) := kindOf(x);
      n := rank(kind) + (if kind <> "small" and half > 0 then 10 else 0);
    end classify;
    Integer n = classify(time);
  end Branches;

  model Loops
    function longest "How long the longest run of equal signs is"
      input Real x[:];
      output Integer n = 0;
      output Real at;
    protected
      String sign, last = "none";
      Integer i = 1, length = 0;
    algorithm
      while i <= size(x, 1) loop
        sign := if x[i] < 0 then "minus" else "plus";
        i := i + 1;
      end while;
      at := if sign == "plus" then 1 else -1;
      for k in 1:size(x, 1) loop
        sign := if x[k] < 0 then "minus" else "plus";
        length := if sign == last then length + 1 else 1;
        n := max(n, length);
        last := sign;
      end for;
    end longest;
    Integer n;
    Real at;
  equation
    (n, at) = longest({time, 1 - 2*time, -1, -time, time - 2, 3});
  end Loops;

  model Known
    function nameOf
      input Integer number;
      output String name = "part" + String(number);
    algorithm
    end nameOf;
    function sizeOf
      input String name;
      output Integer n;
    algorithm
      n := if name == "part2" then 20 else 10;
    end sizeOf;
    parameter String name = nameOf(2);
    parameter Integer n = if name == "part2" then 3 else 5;
    Real x[n] = fill(time, sizeOf(nameOf(1)) - 7), y = sum(x) + sizeOf(name);
  end Known;

  model Names
    function f
      input Real x;
      input String s = getInstanceName();
      output Real y = x;
    algorithm
      assert(x < 10, s + ": too large");
    end f;
    function g
      input Real x;
      output Real y = x;
    algorithm
      assert(x < 0.5, "in " + getInstanceName() + ": too large");
    end g;
    model Part
      Real y = f(2*time, getInstanceName());
    end Part;
    Part part;
    Real x = f(time) + part.y;
  end Names;

  model NamesInMessage
    extends Names;
    Real z = g(time);
  end NamesInMessage;

  model Library "Functions of the library, of texts that the run makes"
    import Modelica.Utilities.Strings.*;
    function f
      input Real x;
      output Integer n;
      output Integer kind;
    protected
      String s;
    algorithm
      s := "value " + String(x, significantDigits = 3);
      n := length(s) + find(s, "e") +
        (if isEqual(s, "VALUE 0.25", false) then 100 else 0);
      s := if x > 0.5 then "Large" else "Tiny";
      kind := length(substring(s, 1, 4)) + (if contains(s, "g") then 10 else 0);
    end f;
    Integer n, kind;
  equation
    (n, kind) = f(time);
  end Library;

  model Fields "Of records"
    record R
      String name;
      Real v;
    end R;
    function f
      input R r;
      output R s;
    algorithm
      s.name := r.name + "!";
      s.v := 2*r.v;
    end f;
    function g
      input Real x;
      output Real y;
    protected
      R r, q;
    algorithm
      r := R("x" + String(x), x);
      q := f(r);
      y := q.v + (if q.name == "x0.5!" then 10 else 0);
    end g;
    Real y = g(0.5), z = g(time);
  end Fields;
end Texts;
