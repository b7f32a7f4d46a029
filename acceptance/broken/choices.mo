package Choices "Branches that cannot be evaluated"
  function needsPositive
    input Real u;
    output Real y = u;
  algorithm
    assert(u > 0, "u is not positive");
  end needsPositive;

  model OfParameters
    parameter Real k = -1;
    parameter Real nobodys = if k > 0 then 1 else sqrt(k);
    Real x(start = 1, fixed = true);
  equation
    der(x) = -x;
    annotation(experiment(StopTime = 1));
  end OfParameters;

  model Call
    Real x(start = 1, fixed = true);
  equation
    der(x) = -1;
    if x > 0.5 then
      needsPositive(x - 0.75);
    end if;
    annotation(experiment(StopTime = 1));
  end Call;
end Choices;
