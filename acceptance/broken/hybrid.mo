package Hybrid "Models whose events are wrong"
  model ReinitStandsInAWhenClause
    Real x(start=0);
  equation
    der(x) = 1;
    reinit(x, 0);
  end ReinitStandsInAWhenClause;

  model ReinitTakesAState
    Real x = time;
  equation
    when x > 1 then
      reinit(x, 0);
    end when;
  end ReinitTakesAState;

  model ReinitTakesAReal
    Integer n(start=0);
  equation
    when time > 1 then
      reinit(n, 0);
    end when;
  end ReinitTakesAReal;

  model ReinitTakesAVariable
    Real x(start=0);
  equation
    der(x) = 1;
    when time > 1 then
      reinit(2*x, 0);
    end when;
  end ReinitTakesAVariable;

  model ReinitTakesAValueOfTheStatesSize
    Real x[2](each start=0);
  equation
    der(x) = {1, 2};
    when time > 1 then
      reinit(x, 0);
    end when;
  end ReinitTakesAValueOfTheStatesSize;

  model WhenClausesAreNotNested
    Integer n;
  equation
    when time > 1 then
      when time > 2 then
        n = 1;
      end when;
    end when;
  end WhenClausesAreNotNested;

  model AWhenClauseDependsOnNoVaryingCondition
    Integer n;
  equation
    if time > 1 then
      when time > 2 then
        n = 1;
      end when;
    end if;
  end AWhenClauseDependsOnNoVaryingCondition;

  model AWhenClauseIsNoInitialEquation
    Real x(start=0);
  equation
    der(x) = 1;
  initial equation
    when x > 1 then
      x = 2;
    end when;
  end AWhenClauseIsNoInitialEquation;

  model AFunctionHasNoWhen
    function f
      input Real u;
      output Real y;
    algorithm
      when u > 1 then
        y := 1;
      end when;
    end f;
    Real x = f(time);
  end AFunctionHasNoWhen;

  model AWhenStatementStandsByItself
    Integer n;
  algorithm
    if time > 1 then
      when time > 2 then
        n := 1;
      end when;
    end if;
  end AWhenStatementStandsByItself;

  model AWhenStatementIsNotOfAnInitialAlgorithm
    Real x(start=0);
  equation
    der(x) = 1;
  initial algorithm
    when time > 2 then
      x := 1;
    end when;
  end AWhenStatementIsNotOfAnInitialAlgorithm;

  model OneWhenClauseAssignsAVariable
    Integer n;
  equation
    when time > 1 then
      n = 1;
    end when;
    when time > 2 then
      n = 2;
    end when;
  end OneWhenClauseAssignsAVariable;

  model AnAlgorithmAndAWhenClauseAssignNoVariableTogether
    Integer n;
  equation
    when time > 1 then
      n = 1;
    end when;
  algorithm
    when time > 2 then
      n := 2;
    end when;
  end AnAlgorithmAndAWhenClauseAssignNoVariableTogether;

  model ABranchAssignsAVariableOnce
    Integer n;
  equation
    when time > 1 then
      n = 1;
      n = 2;
    end when;
  end ABranchAssignsAVariableOnce;

  model BranchesAssignTheSameVariables
    Integer n;
    Real x;
  equation
    when time > 1 then
      n = 1;
      x = 2;
    elsewhen time > 2 then
      n = 2;
    end when;
  end BranchesAssignTheSameVariables;

  model AnIfInAWhenAssignsTheSameInItsBranches
    Integer n;
  equation
    when time > 1 then
      if time > 2 then
        n = 1;
      end if;
    end when;
  end AnIfInAWhenAssignsTheSameInItsBranches;

  model AWhenClauseAssignsVariables
    Real x;
  equation
    when time > 1 then
      2*x = 1;
    end when;
  end AWhenClauseAssignsVariables;

  model AWhenClauseDoesNotAssignParameters
    parameter Real p = 1;
  equation
    when time > 1 then
      p = 2;
    end when;
  end AWhenClauseDoesNotAssignParameters;

  model AWhenClauseAssignsKnownElements
    Integer n(start=1);
    Real x[2];
  equation
    n = integer(time);
    when time > 1 then
      x[n] = 2;
    end when;
  end AWhenClauseAssignsKnownElements;

  model TheConditionOfAWhenIsBoolean
    Real x;
  equation
    when time then
      x = 2;
    end when;
  end TheConditionOfAWhenIsBoolean;

  model AnArrayIsDiscreteAsAWhole
    Real x[2];
  equation
    x[1] = time;
    when time > 1 then
      x[2] = 2;
    end when;
  end AnArrayIsDiscreteAsAWhole;

  model TheIntervalOfASampleIsPositive
    Real x;
  equation
    when sample(0, 0) then
      x = time;
    end when;
  end TheIntervalOfASampleIsPositive;

  model TheIntervalOfASampleIsPositiveByItsParameter
    parameter Real T = -0.5;
    Real x;
  equation
    when sample(0, T) then
      x = time;
    end when;
  end TheIntervalOfASampleIsPositiveByItsParameter;

  model ASampleDependsOnParameters
    Real x;
  equation
    when sample(0, x) then
      x = time;
    end when;
  end ASampleDependsOnParameters;

  model PreTakesDiscreteVariables
    Real x(start=0);
    Real y;
  equation
    der(x) = 1;
    y = pre(x);
  end PreTakesDiscreteVariables;

  model PreTakesAVariable
    Real y;
  equation
    y = pre(2*time);
  end PreTakesAVariable;

  model AFunctionHasNoPre
    function f
      input Integer n;
      output Integer m;
    algorithm
      m := pre(n);
    end f;
    Integer x = f(2);
  end AFunctionHasNoPre;

  model EdgeTakesABoolean
    Integer n = integer(time);
    Boolean b = edge(n);
  end EdgeTakesABoolean;

  model AVaryingDelayNeedsALargestOne
    Real y;
  equation
    y = delay(time, time/2);
  end AVaryingDelayNeedsALargestOne;

  model ADelayIsNotNegative
    Real y;
  equation
    y = delay(time, -1);
  end ADelayIsNotNegative;

  model SmoothTakesANumberOfDerivatives
    Real y;
  equation
    y = smooth(-1, abs(time));
  end SmoothTakesANumberOfDerivatives;

  model AFunctionDoesNotTerminateTheRun
    function f
      input Real u;
      output Real y;
    algorithm
      terminate("now");
    end f;
    Real x = f(time);
  end AFunctionDoesNotTerminateTheRun;

  model AnAlgorithmDoesNotReinit
    Real x(start=0);
  equation
    der(x) = 1;
  algorithm
    when time > 1 then
      reinit(x, 0);
    end when;
  end AnAlgorithmDoesNotReinit;

  model ATextHasAtMost17Digits
    Real x = time;
  equation
    assert(x > 1, String(x, significantDigits=40));
  end ATextHasAtMost17Digits;

  model AChangeWithinRoundingIsNoEvent
    Real x(start=0, fixed=true);
  equation
    der(x) = if time < 1 then 0 elseif x > 1 then 1 else 1e18*sqrt(1 - x);
  end AChangeWithinRoundingIsNoEvent;

  model AnEventDoesNotHideWhatIsMissing
    Real y;
    Real w(start=0);
  equation
    when time > 0.5 then
      w = 1;
    end when;
  end AnEventDoesNotHideWhatIsMissing;
end Hybrid;
