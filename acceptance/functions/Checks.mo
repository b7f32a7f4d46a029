// Calls of functions for their assertions (specification 3.6, section 8.3.9):
// under the conditions around them, and at the start.
package Checks
  function check
    input Real x, limit;
  algorithm
    assert(x < limit, "x = " + String(x) + " is beyond " + String(limit));
  end check;

  function both
    input Real x[:];
    output Boolean is_fine = max(x) < 10;
  algorithm
    assert(x[1] < 10, "beyond");
  end both;

  model Start
    parameter Real p = 1;
    Real x = time;
  initial equation
    check(p, 2);
  end Start;

  model StartInAlgorithm
    parameter Real p = 1;
    Real x = time;
  initial algorithm
    check(p, 2);
    check(p, 4);
  end StartInAlgorithm;

  model WhenInitial
    parameter Real p = 1;
    Real x = time;
  equation
    when initial() then
      check(p, 2);
    end when;
  end WhenInitial;

  model StartInLoop
    parameter Real p[3] = {1, 2, 3};
    Real x(start = 1, fixed = true);
  equation
    der(x) = x;
  initial equation
    for i in 1:3 loop
      if p[i] > 1.5 then
        check(p[i], 3.5);
        check(x, 1.5);
      end if;
    end for;
  end StartInLoop;

  model When
    Real x = time;
    Integer n(start = 0);
  equation
    when {time > 0.25, time > 0.5} then
      check(x, 0.4);
      n = pre(n) + 1;
      if n > 1 then
        both({x, 1});
      end if;
    end when;
  end When;

  model If
    Real x;
  equation
    if time > 0.5 then
      x = 2*time;
      if time < 0.75 then
        check(x, 1.3);
      end if;
    else
      x = time;
      check(x, 0.6);
    end if;
  end If;
end Checks;
