within Modelica.Blocks;
package Nonlinear "Limits, dead zones and delays"
  import Modelica.Blocks.Interfaces.*;
  import Modelica.Blocks.Types.*;

  block Limiter "u, but not above uMax and not below uMin"
    extends SISO;
    parameter Real uMax(start = 1) "Upper limit";
    parameter Real uMin = -uMax "Lower limit";
    parameter Boolean strict = false
      "Whether the limits are held without events";
    parameter LimiterHomotopy homotopyType = LimiterHomotopy.Linear
      "Simplified model while the beginning is sought";
  equation
    assert(uMax >= uMin, "cannot limit a signal: uMax is below uMin");
    if strict then
      y = smooth(0, noEvent(if u > uMax then uMax else
        if u < uMin then uMin else u));
    else
      y = smooth(0, if u > uMax then uMax else if u < uMin then uMin else u);
    end if;
  end Limiter;

  block VariableLimiter "u, but not above limit1 and not below limit2"
    extends SISO;
    parameter Boolean strict = false
      "Whether the limits are held without events";
    parameter VariableLimiterHomotopy homotopyType =
      VariableLimiterHomotopy.Linear
      "Simplified model while the beginning is sought";
    parameter Real ySimplified = 0 "Output of the simplified model 'Fixed'";
    RealInput limit1 "Upper limit";
    RealInput limit2 "Lower limit";
  equation
    if strict then
      y = smooth(0, noEvent(if u > limit1 then limit1 else
        if u < limit2 then limit2 else u));
    else
      y = smooth(0, if u > limit1 then limit1 else
        if u < limit2 then limit2 else u);
    end if;
  end VariableLimiter;

  block SlewRateLimiter "Follows u, but no faster than Rising and Falling"
    extends SISO;
    parameter Real Rising(min = Modelica.Constants.small) = 1
      "Largest slope upwards";
    parameter Real Falling(max = -Modelica.Constants.small) = -Rising
      "Largest slope downwards, negative";
    parameter Modelica.Units.SI.Time Td(min = Modelica.Constants.small) = 0.001
      "Time constant of the lag where the limits do not hold";
    parameter Init initType = Init.SteadyState "How it begins";
    parameter Real y_start = 0 "Output at the start";
    parameter Boolean strict = false
      "Whether the limits are held without events";
  protected
    Real slope = (u - y)/Td "Slope without limits";
  initial equation
    if initType == Init.SteadyState then
      y = u;
    elseif initType == Init.InitialState or initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    if strict then
      der(y) = smooth(1, noEvent(if slope > Rising then Rising else
        if slope < Falling then Falling else slope));
    else
      der(y) = smooth(1, if slope > Rising then Rising else
        if slope < Falling then Falling else slope);
    end if;
  end SlewRateLimiter;

  block DeadZone "0 between uMin and uMax, beyond them what u exceeds them by"
    extends SISO;
    parameter Real uMax(start = 1) "Upper end of the zone";
    parameter Real uMin = -uMax "Lower end of the zone";
  equation
    assert(uMax >= uMin, "cannot make a dead zone: uMax is below uMin");
    y = smooth(0, if u > uMax then u - uMax else
      if u < uMin then u - uMin else 0);
  end DeadZone;

  block FixedDelay "u as it was delayTime ago"
    extends SISO;
    parameter Modelica.Units.SI.Time delayTime(start = 1) "Delay";
  equation
    y = delay(u, delayTime);
  end FixedDelay;

  block VariableDelay "u as it was delayTime ago, an input"
    extends SISO;
    parameter Modelica.Units.SI.Duration delayMax(min = 0, start = 1)
      "Longest delay";
    RealInput delayTime(unit = "s") "Delay";
  equation
    y = delay(u, delayTime, delayMax);
  end VariableDelay;

  block PadeDelay "A delay as a fraction of polynomials (Pade)"
    extends SISO;
    parameter Modelica.Units.SI.Time delayTime(start = 1) "Delay";
    parameter Integer n(min = 1) = 1 "Degree of the denominator";
    parameter Integer m(min = 1, max = n) = n "Degree of the numerator";
    parameter Boolean balance = false
      "Whether states are scaled; here they always are";
    final output Real x[n] "States, over the delay as unit of time";
  protected
    parameter Real a[n + 1] = Internal.padeFactors(n, n, m, 1);
    parameter Real b[n + 1] = Internal.padeFactors(n, m, n, -1);
    parameter Real d = b[1]/a[1];
  initial equation
    der(x) = zeros(n);
  equation
    delayTime*der(x[1]) = (u - a[2:n + 1]*x)/a[1];
    if n > 1 then
      delayTime*der(x[2:n]) = x[1:n - 1];
    end if;
    y = (b[2:n + 1] - d*a[2:n + 1])*x + d*u;
  end PadeDelay;

  package Internal "Not for users"
    function padeFactors
      "Coefficients of a polynomial of Pade's fraction for exp(-s)"
      // sum over k of (p+q-k)! p! / ((p+q)! k! (p-k)!) (sign s)^k, scaled so
      // that the constant term is 1 (Golub, van Loan, Matrix Computations).
      input Integer n "Degree that the result has room for";
      input Integer p "Degree of this polynomial";
      input Integer q "Degree of the other one";
      input Integer sign_s "1 or -1";
      output Real c[n + 1] "The highest power first";
    protected
      Real factor;
    algorithm
      c := zeros(n + 1);
      factor := 1;
      c[n + 1] := 1;
      for k in 1:p loop
        factor := factor*sign_s*(p - k + 1)/(k*(p + q - k + 1));
        c[n + 1 - k] := factor;
      end for;
    end padeFactors;
  end Internal;
end Nonlinear;
