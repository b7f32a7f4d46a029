within Modelica.Blocks;
package Math "Functions of signals"
  import Modelica.Blocks.Interfaces.*;

  package UnitConversions "Signals from one unit to another"
    partial block PartialConversionBlock "One input and one output with units"
      extends Interfaces.Block;
      Interfaces.RealInput u "Input";
      Interfaces.RealOutput y "Output";
    end PartialConversionBlock;

    block To_degC "Kelvin to degrees Celsius"
      extends PartialConversionBlock(u(unit = "K"), y(unit = "degC"));
    equation
      y = u + Modelica.Constants.T_zero;
    end To_degC;

    block From_degC "Degrees Celsius to kelvin"
      extends PartialConversionBlock(u(unit = "degC"), y(unit = "K"));
    equation
      y = u - Modelica.Constants.T_zero;
    end From_degC;

    block To_deg "Radians to degrees"
      extends PartialConversionBlock(u(unit = "rad"), y(unit = "deg"));
    equation
      y = 180*u/Modelica.Constants.pi;
    end To_deg;

    block From_deg "Degrees to radians"
      extends PartialConversionBlock(u(unit = "deg"), y(unit = "rad"));
    equation
      y = Modelica.Constants.pi*u/180;
    end From_deg;

    block To_rpm "Radians per second to revolutions per minute"
      extends PartialConversionBlock(u(unit = "rad/s"), y(unit = "rev/min"));
    equation
      y = 30*u/Modelica.Constants.pi;
    end To_rpm;

    block From_rpm "Revolutions per minute to radians per second"
      extends PartialConversionBlock(u(unit = "rev/min"), y(unit = "rad/s"));
    equation
      y = Modelica.Constants.pi*u/30;
    end From_rpm;

    block To_kmh "Metres per second to kilometres per hour"
      extends PartialConversionBlock(u(unit = "m/s"), y(unit = "km/h"));
    equation
      y = 3.6*u;
    end To_kmh;

    block From_kmh "Kilometres per hour to metres per second"
      extends PartialConversionBlock(u(unit = "km/h"), y(unit = "m/s"));
    equation
      y = u/3.6;
    end From_kmh;

    block To_day "Seconds to days"
      extends PartialConversionBlock(u(unit = "s"), y(unit = "d"));
    equation
      y = u/86400;
    end To_day;

    block From_day "Days to seconds"
      extends PartialConversionBlock(u(unit = "d"), y(unit = "s"));
    equation
      y = 86400*u;
    end From_day;

    block To_hour "Seconds to hours"
      extends PartialConversionBlock(u(unit = "s"), y(unit = "h"));
    equation
      y = u/3600;
    end To_hour;

    block From_hour "Hours to seconds"
      extends PartialConversionBlock(u(unit = "h"), y(unit = "s"));
    equation
      y = 3600*u;
    end From_hour;

    block To_minute "Seconds to minutes"
      extends PartialConversionBlock(u(unit = "s"), y(unit = "min"));
    equation
      y = u/60;
    end To_minute;

    block From_minute "Minutes to seconds"
      extends PartialConversionBlock(u(unit = "min"), y(unit = "s"));
    equation
      y = 60*u;
    end From_minute;

    block To_litre "Cubic metres to litres"
      extends PartialConversionBlock(u(unit = "m3"), y(unit = "l"));
    equation
      y = 1000*u;
    end To_litre;

    block From_litre "Litres to cubic metres"
      extends PartialConversionBlock(u(unit = "l"), y(unit = "m3"));
    equation
      y = u/1000;
    end From_litre;

    block To_kWh "Joules to kilowatt hours"
      extends PartialConversionBlock(u(unit = "J"), y(unit = "kW.h"));
    equation
      y = u/3.6e6;
    end To_kWh;

    block From_kWh "Kilowatt hours to joules"
      extends PartialConversionBlock(u(unit = "kW.h"), y(unit = "J"));
    equation
      y = 3.6e6*u;
    end From_kWh;

    block To_bar "Pascals to bars"
      extends PartialConversionBlock(u(unit = "Pa"), y(unit = "bar"));
    equation
      y = u/1e5;
    end To_bar;

    block From_bar "Bars to pascals"
      extends PartialConversionBlock(u(unit = "bar"), y(unit = "Pa"));
    equation
      y = 1e5*u;
    end From_bar;

    block To_gps "Kilograms per second to grams per second"
      extends PartialConversionBlock(u(unit = "kg/s"), y(unit = "g/s"));
    equation
      y = 1000*u;
    end To_gps;

    block From_gps "Grams per second to kilograms per second"
      extends PartialConversionBlock(u(unit = "g/s"), y(unit = "kg/s"));
    equation
      y = u/1000;
    end From_gps;
  end UnitConversions;

  block InverseBlockConstraints
    "Makes a block an inverse one: its output is given, its input follows"
    extends Block;
    RealInput u1 "Input signal 1";
    RealInput u2 "Input signal 2";
    RealOutput y1 "Output signal 1";
    RealOutput y2 "Output signal 2";
  equation
    u1 = u2;
    y1 = y2;
  end InverseBlockConstraints;

  block Gain "y = k*u"
    extends Block;
    parameter Real k(start = 1, unit = "1") "Factor";
    RealInput u "Input";
    RealOutput y "Output";
  equation
    y = k*u;
  end Gain;

  block MatrixGain "y = K*u, with a matrix K"
    extends MIMO(final nin = size(K, 2), final nout = size(K, 1));
    parameter Real K[:, :] = [1, 0; 0, 1] "Factors";
  equation
    y = K*u;
  end MatrixGain;

  block MultiSum "y = k[1]*u[1] + ... + k[nu]*u[nu]"
    extends PartialRealMISO;
    parameter Real k[nu] = fill(1, nu) "Factors";
  equation
    if nu > 0 then
      y = k*u;
    else
      y = 0;
    end if;
  end MultiSum;

  block MultiProduct "y = u[1]*...*u[nu]"
    extends PartialRealMISO;
  equation
    if nu > 0 then
      y = product(u);
    else
      y = 0;
    end if;
  end MultiProduct;

  block MultiSwitch
    "The value that belongs to the first input that is true"
    extends Block;
    parameter Integer nu(min = 0) = 0 "Number of inputs";
    parameter Real expr[nu] = fill(0, nu) "y = expr[i] if u[i] is the first";
    parameter Boolean use_pre_as_default = true
      "Whether y stays as it is if no input is true";
    parameter Real y_default = 0
      "y if no input is true and it does not stay";
    parameter Integer precision(min = 0) = 3 "Digits that are shown";
    BooleanInput u[nu] "Inputs";
    RealOutput y "Output";
  protected
    Integer first "The first input that is true; 0 if there is none";
    discrete Real y_last(start = y_default, fixed = true)
      "y before all inputs became false";
  equation
    first = firstTrue(u);
    when first == 0 then
      y_last = pre(y);
    end when;
    y = if first > 0 then expr[max(first, 1)] else
      if use_pre_as_default then y_last else y_default;
  end MultiSwitch;

  function firstTrue "Number of the first element that is true, else 0"
    input Boolean u[:];
    output Integer first = 0;
  algorithm
    for i in 1:size(u, 1) loop
      if u[i] and first == 0 then
        first := i;
      end if;
    end for;
  end firstTrue;

  block Sum "y = k[1]*u[1] + ... + k[nin]*u[nin]"
    extends MISO;
    parameter Real k[nin] = ones(nin) "Factors";
  equation
    y = k*u;
  end Sum;

  block Feedback "y = u1 - u2: set point less measurement"
    extends Block;
    RealInput u1 "What is commanded";
    RealInput u2 "What is fed back";
    RealOutput y "Difference";
  equation
    y = u1 - u2;
  end Feedback;

  block Add "y = k1*u1 + k2*u2"
    extends SI2SO;
    parameter Real k1 = +1 "Factor of u1";
    parameter Real k2 = +1 "Factor of u2";
  equation
    y = k1*u1 + k2*u2;
  end Add;

  block Add3 "y = k1*u1 + k2*u2 + k3*u3"
    extends Block;
    parameter Real k1 = +1 "Factor of u1";
    parameter Real k2 = +1 "Factor of u2";
    parameter Real k3 = +1 "Factor of u3";
    RealInput u1 "First input";
    RealInput u2 "Second input";
    RealInput u3 "Third input";
    RealOutput y "Output";
  equation
    y = k1*u1 + k2*u2 + k3*u3;
  end Add3;

  block Product "y = u1*u2"
    extends SI2SO;
  equation
    y = u1*u2;
  end Product;

  block Division "y = u1/u2"
    extends SI2SO;
  equation
    y = u1/u2;
  end Division;

  block Abs "y = |u|"
    extends SISO;
    parameter Boolean generateEvent = false
      "Whether the change of sign of u is an event";
  equation
    y = if generateEvent then (if u >= 0 then u else -u) else
      (if noEvent(u >= 0) then u else -u);
  end Abs;

  block Sign "y = 1, 0 or -1: the sign of u"
    extends SISO;
    parameter Boolean generateEvent = false
      "Whether the change of sign of u is an event";
  equation
    y = if generateEvent then
      (if u > 0 then 1 else if u < 0 then -1 else 0) else
      (if noEvent(u > 0) then 1 else if noEvent(u < 0) then -1 else 0);
  end Sign;

  block Sqrt "y = sqrt(u), for u >= 0"
    extends SISO;
  equation
    y = sqrt(u);
  end Sqrt;

  block Sin "y = sin(u), u in radians"
    extends SISO;
  equation
    y = sin(u);
  end Sin;

  block Cos "y = cos(u), u in radians"
    extends SISO;
  equation
    y = cos(u);
  end Cos;

  block Tan "y = tan(u), u in radians"
    extends SISO;
  equation
    y = tan(u);
  end Tan;

  block Asin "y = asin(u), in radians, |u| <= 1"
    extends SISO;
  equation
    y = asin(u);
  end Asin;

  block Acos "y = acos(u), in radians, |u| <= 1"
    extends SISO;
  equation
    y = acos(u);
  end Acos;

  block Atan "y = atan(u), in radians"
    extends SISO;
  equation
    y = atan(u);
  end Atan;

  block Atan2 "y = atan2(u1, u2): the angle of the point (u2, u1), in radians"
    extends SI2SO;
  equation
    y = atan2(u1, u2);
  end Atan2;

  block Sinh "y = sinh(u)"
    extends SISO;
  equation
    y = sinh(u);
  end Sinh;

  block Cosh "y = cosh(u)"
    extends SISO;
  equation
    y = cosh(u);
  end Cosh;

  block Tanh "y = tanh(u)"
    extends SISO;
  equation
    y = tanh(u);
  end Tanh;

  block Exp "y = exp(u)"
    extends SISO;
  equation
    y = exp(u);
  end Exp;

  block Power "y = base^u"
    extends SISO;
    parameter Real base = Modelica.Constants.e "Base, above zero";
    parameter Boolean useExp = true
      "Whether it is computed as exp(u*log(base))";
  equation
    y = if useExp then exp(u*log(base)) else base^u;
  end Power;

  block Log "y = logarithm of u to a base, for u > 0"
    extends SISO;
    parameter Real base = Modelica.Constants.e "Base, above zero";
    parameter Boolean useExp = true
      "Whether it is computed as log(u)/log(base)";
  equation
    y = if base == 10 and not useExp then log10(u) else log(u)/log(base);
  end Log;

  block Log10 "y = logarithm of u to the base 10, for u > 0"
    extends SISO;
  equation
    y = log10(u);
  end Log10;

  block WrapAngle "The angle u within (-pi, pi] or [0, 2*pi)"
    extends SISO;
    parameter Boolean positiveRange = false
      "Whether the range is [0, 2*pi)";
  protected
    constant Real turn = 2*Modelica.Constants.pi;
  equation
    y = if positiveRange then u - turn*floor(u/turn) else
      u - turn*ceil(u/turn - 0.5);
  end WrapAngle;

  block RealToInteger "The Integer nearest to u; halves away from zero"
    extends Block;
    RealInput u "Input";
    IntegerOutput y "Output";
  equation
    y = if u > 0 then integer(floor(u + 0.5)) else integer(ceil(u - 0.5));
  end RealToInteger;

  block IntegerToReal "y = u"
    extends Block;
    IntegerInput u "Input";
    RealOutput y "Output";
  equation
    y = u;
  end IntegerToReal;

  block BooleanToReal "realTrue if u is true, else realFalse"
    extends Block;
    parameter Real realTrue = 1.0 "Output if u is true";
    parameter Real realFalse = 0.0 "Output if u is false";
    BooleanInput u "Input";
    RealOutput y "Output";
  equation
    y = if u then realTrue else realFalse;
  end BooleanToReal;

  block BooleanToInteger "integerTrue if u is true, else integerFalse"
    extends Block;
    parameter Integer integerTrue = 1 "Output if u is true";
    parameter Integer integerFalse = 0 "Output if u is false";
    BooleanInput u "Input";
    IntegerOutput y "Output";
  equation
    y = if u then integerTrue else integerFalse;
  end BooleanToInteger;

  block RealToBoolean "Whether u >= threshold"
    extends Block;
    parameter Real threshold = 0.5 "The least input that counts as true";
    RealInput u "Input";
    BooleanOutput y "Output";
  equation
    y = u >= threshold;
  end RealToBoolean;

  block IntegerToBoolean "Whether u >= threshold"
    extends Block;
    parameter Integer threshold = 1 "The least input that counts as true";
    IntegerInput u "Input";
    BooleanOutput y "Output";
  equation
    y = u >= threshold;
  end IntegerToBoolean;

  block RectangularToPolar "Length and angle of a complex number"
    extends Block;
    RealInput u_re "Real part";
    RealInput u_im "Imaginary part";
    RealOutput y_abs "Length";
    RealOutput y_arg(unit = "rad") "Angle";
  equation
    y_abs = sqrt(u_re*u_re + u_im*u_im);
    y_arg = atan2(u_im, u_re);
  end RectangularToPolar;

  block PolarToRectangular "Real and imaginary part of a complex number"
    extends Block;
    RealInput u_abs "Length";
    RealInput u_arg(unit = "rad") "Angle";
    RealOutput y_re "Real part";
    RealOutput y_im "Imaginary part";
  equation
    y_re = u_abs*cos(u_arg);
    y_im = u_abs*sin(u_arg);
  end PolarToRectangular;

  block ContinuousMean "Mean of u from the beginning on"
    extends SISO;
    parameter Modelica.Units.SI.Time t_eps(min = 100*Modelica.Constants.eps) =
      1e-7 "Time in which the mean begins as u itself";
  protected
    Real mu(start = 0, fixed = true) "Integral of u";
    Modelica.Units.SI.Time elapsed(start = 0, fixed = true)
      "Time since the beginning";
  equation
    der(mu) = u;
    der(elapsed) = 1;
    y = noEvent(if elapsed >= t_eps then mu/elapsed else u);
  end ContinuousMean;

  block Max "The larger one of u1 and u2"
    extends SI2SO;
  equation
    y = max(u1, u2);
  end Max;

  block Min "The smaller one of u1 and u2"
    extends SI2SO;
  equation
    y = min(u1, u2);
  end Min;

  block MinMax "The largest and the smallest one of several inputs"
    extends Block;
    parameter Integer nu(min = 0) = 0 "Number of inputs";
    RealInput u[nu] "Inputs";
    RealOutput yMax "The largest input";
    RealOutput yMin "The smallest input";
  equation
    yMax = max(u);
    yMin = min(u);
  end MinMax;

  block LinearDependency "y = y0*(1 + k1*u1 + k2*u2)"
    extends SI2SO;
    parameter Real y0 = 0 "Output without inputs";
    parameter Real k1 = 0 "Share of u1";
    parameter Real k2 = 0 "Share of u2";
  equation
    y = y0*(1 + k1*u1 + k2*u2);
  end LinearDependency;

  block Polynomial "y = a[1]*u^(n-1) + ... + a[n-1]*u + a[n]"
    extends SISO;
    parameter Real a[:] = {1, 0} "Coefficients, the highest power first";
  equation
    y = Modelica.Math.Polynomials.evaluate(a, u);
  end Polynomial;

  block Edge "True at the instant when u becomes true"
    extends BooleanSISO;
    parameter Boolean pre_u_start = false "u before the start";
  initial equation
    pre(u) = pre_u_start;
  equation
    y = edge(u);
  end Edge;

  block BooleanChange "True at the instant when u changes"
    extends BooleanSISO;
    parameter Boolean pre_u_start = false "u before the start";
  initial equation
    pre(u) = pre_u_start;
  equation
    y = change(u);
  end BooleanChange;

  block IntegerChange "True at the instant when u changes"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer pre_u_start = 0 "u before the start";
    IntegerInput u "Input";
    BooleanOutput y "Output";
  initial equation
    pre(u) = pre_u_start;
  equation
    y = change(u);
  end IntegerChange;

  partial block PartialPeriodicMean "An average over each period of 1/f"
    extends Modelica.Blocks.Icons.Block;
    parameter Modelica.Units.SI.Frequency f(start = 50)
      "Periods per second";
    parameter Real x0 = 0 "Integral at the start";
    RealInput u "Input";
    RealOutput y "Output: of the last whole period";
    discrete Real y_last "Mean of the last whole period";
  protected
    discrete Modelica.Units.SI.Time begin "When the period began";
    Real x(start = x0, fixed = true) "Integral within the period";
    Real v "What is averaged";
  initial equation
    pre(begin) = time;
    pre(y_last) = 0;
  equation
    der(x) = v;
    when sample(1/f, 1/f) then
      y_last = if time > pre(begin) then pre(x)/(time - pre(begin)) else
        pre(y_last);
      begin = time;
      reinit(x, 0);
    end when;
  end PartialPeriodicMean;

  block Mean "Mean of u over each period"
    extends PartialPeriodicMean;
    parameter Boolean yGreaterOrEqualZero = false
      "Whether negative means, of rounding, are 0";
  equation
    v = u;
    y = if yGreaterOrEqualZero then max(0, y_last) else y_last;
  end Mean;

  block RectifiedMean "Mean of |u| over each period"
    extends PartialPeriodicMean;
  equation
    v = abs(u);
    y = y_last;
  end RectifiedMean;

  block RootMeanSquare "Root of the mean of u^2 over each period"
    extends PartialPeriodicMean;
  equation
    v = u*u;
    y = sqrt(max(0, y_last));
  end RootMeanSquare;

  block Variance "Variance of u from the beginning on"
    extends SISO;
    parameter Modelica.Units.SI.Time t_eps(min = 100*Modelica.Constants.eps) =
      1e-7 "Time in which the variance begins as 0";
  protected
    Real mu(start = 0, fixed = true) "Integral of u";
    Real square(start = 0, fixed = true) "Integral of u^2";
    Modelica.Units.SI.Time elapsed(start = 0, fixed = true)
      "Time since the beginning";
  equation
    der(mu) = u;
    der(square) = u*u;
    der(elapsed) = 1;
    y = noEvent(if elapsed >= t_eps then
      max(0, square/elapsed - (mu/elapsed)^2) else 0);
  end Variance;

  block StandardDeviation "Standard deviation of u from the beginning on"
    extends SISO;
    parameter Modelica.Units.SI.Time t_eps(min = 100*Modelica.Constants.eps) =
      1e-7 "Time in which it begins as 0";
    Variance variance(t_eps = t_eps) "Its square";
  equation
    connect(u, variance.u);
    y = sqrt(variance.y);
  end StandardDeviation;

  block Harmonic
    "The k-th harmonic of u over each period, sqrt(2)*y_rms*cos(k*w*t - y_arg)"
    extends Modelica.Blocks.Icons.Block;
    parameter Modelica.Units.SI.Frequency f(start = 50) "Base frequency";
    parameter Integer k(start = 1) "Which harmonic";
    parameter Boolean useConjugateComplex = false
      "Whether the sign of the angle is changed";
    parameter Real x0Cos = 0 "Integral with the cosine at the start";
    parameter Real x0Sin = 0 "Integral with the sine at the start";
    RealInput u "Input";
    RealOutput y_rms "Root of the mean square of the harmonic";
    RealOutput y_arg(unit = "rad") "Its angle";
    Mean meanCos(f = f, x0 = x0Cos) "Of u times the cosine";
    Mean meanSin(f = f, x0 = x0Sin) "Of u times the sine";
  protected
    Modelica.Units.SI.Angle phi = 2*Modelica.Constants.pi*k*f*time;
  equation
    meanCos.u = sqrt(2)*u*cos(phi);
    meanSin.u = sqrt(2)*u*sin(phi);
    y_rms = sqrt(meanCos.y^2 + meanSin.y^2);
    y_arg = (if useConjugateComplex then -1 else 1)*
      atan2(meanSin.y, meanCos.y);
  end Harmonic;

  block TotalHarmonicDistortion "What is not of the base frequency, over it"
    extends Modelica.Blocks.Icons.Block;
    parameter Modelica.Units.SI.Frequency f(start = 1) "Base frequency";
    parameter Boolean useFirstHarmonic = true
      "Whether it is over the base wave; else over the whole signal";
    RealInput u "Input";
    RealOutput y "Distortion";
    BooleanOutput valid "Whether a period is over and u is not 0";
    Harmonic harmonic(f = f, k = 1) "Base wave";
    RootMeanSquare rms(f = f) "Whole signal";
  protected
    Real base = if useFirstHarmonic then harmonic.y_rms else rms.y;
  equation
    connect(u, harmonic.u);
    connect(u, rms.u);
    valid = noEvent(base > Modelica.Constants.eps);
    y = if valid then sqrt(max(0, rms.y^2 - harmonic.y_rms^2))/base else 0;
  end TotalHarmonicDistortion;
end Math;
