package StartNames "Start values by several names, in arrays, and for good"
  model Alias "Another name fixes the state's start, with its sign"
    Real x;
    Real y(start = 2, fixed = true);
  equation
    der(x) = -x;
    y = -x;
  end Alias;

  model Conflict "Two names of one quantity fix it differently"
    Real x(start = 1, fixed = true);
    Real y(start = 2, fixed = true);
  equation
    der(x) = -x;
    y = x;
  end Conflict;

  model Bounds "A bound for each element, and one for all"
    Real u[2](each start = 1, each fixed = true, max = {3, 4}, each min = 0);
  equation
    der(u) = -u;
  end Bounds;

  model Final "A start that is given for good"
    Real x(final start = 1, fixed = true);
  equation
    der(x) = -x;
  end Final;

  model Whole "A parameter that has to be a whole number"
    parameter Integer n = 2;
    Real x(start = n, fixed = true);
  equation
    der(x) = -x;
  end Whole;
end StartNames;
