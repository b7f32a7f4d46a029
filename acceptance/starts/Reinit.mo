// reinit() of variables that are states by their stateSelect only
// (specification 3.6, section 8.3.6).
package Reinit
  model Scaled
    Real x(start = 1, fixed = true), y(stateSelect = StateSelect.always);
  equation
    der(x) = -1;
    y = 2*x;
    when y < 1 then
      reinit(y, 5);
    end when;
  end Scaled;

  model Sum "x1 - x2 stays as it is"
    Real x1(start = 1, fixed = true), x2(start = 3, fixed = true);
    Real s(stateSelect = StateSelect.prefer), d(stateSelect = StateSelect.prefer);
  equation
    der(x1) = -1;
    der(x2) = -1;
    s = x1 + x2;
    d = x1 - x2;
    when s < 3 then
      reinit(s, 10);
      reinit(d, -4);
    end when;
  end Sum;

  model Element
    Real x[2](start = {1, 2}, each fixed = true);
    Real y[2](each stateSelect = StateSelect.always);
  equation
    der(x) = {-1, 0};
    y = 2*x;
    when y[1] < 1 then
      reinit(y[1], 5);
    end when;
  end Element;

  model Level
    parameter Real area = 2;
    Real volume(start = 1, fixed = true);
    Real level(stateSelect = StateSelect.always);
  equation
    der(volume) = 1;
    volume = area*level;
    when level > 0.75 then
      reinit(level, 0.25);
    end when;
  end Level;
end Reinit;
