within Modelica.Blocks;
package Noise "Random signals, the same in every run with the same seeds"
  import Modelica.Blocks.Interfaces.*;

  model GlobalSeed "Seeds for all random signals of a model"
    parameter Boolean enableNoise = true
      "Whether there is noise; else the sources give y_off";
    parameter Boolean useAutomaticSeed = false
      "Has no effect: a run can always be repeated";
    parameter Integer fixedSeed = 67867967 "Seed of the model";
    final parameter Integer seed = fixedSeed "Seed that holds";
  end GlobalSeed;

  partial block PartialNoise "A random number for every samplePeriod"
    extends SO;
    outer GlobalSeed globalSeed "Seeds of the model";
    parameter Modelica.Units.SI.Time samplePeriod(start = 0.01)
      "Time for which a number holds";
    parameter Boolean enableNoise = globalSeed.enableNoise
      "Whether there is noise; else y = y_off";
    parameter Real y_off = 0.0 "Output without noise";
    parameter Boolean useGlobalSeed = true
      "Whether the seed of the model counts too";
    parameter Boolean useAutomaticLocalSeed = false
      "Has no effect: give each source a fixedLocalSeed";
    parameter Integer fixedLocalSeed = 1 "Seed of this source";
    parameter Modelica.Units.SI.Time startTime = 0.0 "When the noise begins";
    final parameter Integer localSeed = fixedLocalSeed "Seed that holds";
  protected
    discrete Real state[6] "Of the generator";
    discrete Real r "Random number between 0 and 1";
    discrete Real r_raw "As it is distributed";
    parameter Real first[6] = Internal.seed(
      if useGlobalSeed then globalSeed.seed else 0, localSeed);
  initial equation
    pre(state) = first;
    pre(r) = 0.5;
    pre(r_raw) = y_off;
  equation
    when sample(startTime, samplePeriod) then
      state = Internal.next(pre(state));
      r = Internal.number(state);
    end when;
    y = if not enableNoise or time < startTime then y_off else r_raw;
  end PartialNoise;

  block UniformNoise "Evenly distributed between y_min and y_max"
    extends PartialNoise;
    parameter Real y_min(start = 0) "Lower limit";
    parameter Real y_max(start = 1) "Upper limit";
  equation
    when sample(startTime, samplePeriod) then
      r_raw = y_min + (y_max - y_min)*r;
    end when;
  end UniformNoise;

  block NormalNoise "Normally distributed"
    extends PartialNoise;
    parameter Real mu = 0 "Mean";
    parameter Real sigma(start = 1) "Standard deviation";
  equation
    when sample(startTime, samplePeriod) then
      r_raw = mu + sigma*Internal.normal(r);
    end when;
  end NormalNoise;

  block TruncatedNormalNoise "Normally distributed between y_min and y_max"
    extends PartialNoise;
    parameter Real y_min(start = 0) "Lower limit";
    parameter Real y_max(start = 1) "Upper limit";
    parameter Real mu = (y_max + y_min)/2 "Mean of the whole distribution";
    parameter Real sigma = (y_max - y_min)/6
      "Standard deviation of the whole distribution";
  protected
    parameter Real p_min = Internal.normalPart((y_min - mu)/sigma);
    parameter Real p_max = Internal.normalPart((y_max - mu)/sigma);
  equation
    when sample(startTime, samplePeriod) then
      r_raw = min(max(mu + sigma*
        Internal.normal(p_min + (p_max - p_min)*r), y_min), y_max);
    end when;
  end TruncatedNormalNoise;

  block BandLimitedWhiteNoise "Of even power up to about 1/(2*samplePeriod)"
    extends PartialNoise;
    parameter Real noisePower = 1 "Power spectral density";
  equation
    when sample(startTime, samplePeriod) then
      r_raw = sqrt(noisePower/samplePeriod)*Internal.normal(r);
    end when;
  end BandLimitedWhiteNoise;

  package Internal "Not for users"
    // The generator MRG32k3a (P. L'Ecuyer, Operations Research 47 (1999)
    // 159-164): all of its products are below 2^53, so that Reals do.
    constant Real m1 = 4294967087.0;
    constant Real m2 = 4294944443.0;

    function modulo "a - m*floor(a/m) of whole numbers, exact"
      input Real a;
      input Real m;
      output Real r;
    algorithm
      r := a - m*floor(a/m);
      if r < 0 then
        r := r + m;
      elseif r >= m then
        r := r - m;
      end if;
    end modulo;

    function next "The state that follows"
      input Real s[6] "State";
      output Real n[6] "Next state";
    algorithm
      n[1] := s[2];
      n[2] := s[3];
      n[3] := modulo(1403580.0*s[2] - 810728.0*s[1], m1);
      n[4] := s[5];
      n[5] := s[6];
      n[6] := modulo(527612.0*s[6] - 1370589.0*s[4], m2);
    end next;

    function number "The random number of a state, above 0 and below 1"
      input Real s[6] "State";
      output Real u "Number";
    algorithm
      u := (if s[3] > s[6] then s[3] - s[6] else s[3] - s[6] + m1)/(m1 + 1);
    end number;

    function seed "A first state of two seeds"
      input Integer global "Seed of the model";
      input Integer local "Seed of the source";
      output Real s[6] "State";
    algorithm
      s := {12345, 12345, 12345, 12345, 12345, 12345};
      s[1] := 1 + modulo(abs(global) + 0.0, m1 - 1);
      s[4] := 1 + modulo(abs(global) + 0.0, m2 - 1);
      for i in 1:10 loop
        s := next(s);
      end for;
      s[1] := 1 + modulo(s[1] + abs(local), m1 - 1);
      s[4] := 1 + modulo(s[4] + abs(local), m2 - 1);
      for i in 1:10 loop
        s := next(s);
      end for;
    end seed;

    function normal "The number below which a part p of a normal population is"
      // P. J. Acklam's rational functions (2003), relative error 1.2e-9, then
      // one step of Halley's rule.
      input Real p "Between 0 and 1";
      output Real x "Number";
    protected
      constant Real a[6] = {-3.969683028665376e+01, 2.209460984245205e+02,
        -2.759285104469687e+02, 1.383577518672690e+02, -3.066479806614716e+01,
        2.506628277459239e+00};
      constant Real b[6] = {-5.447609879822406e+01, 1.615858368580409e+02,
        -1.556989798598866e+02, 6.680131188771972e+01, -1.328068155288572e+01,
        1.0};
      constant Real c[6] = {-7.784894002430293e-03, -3.223964580411365e-01,
        -2.400758277161838e+00, -2.549732539343734e+00, 4.374664141464968e+00,
        2.938163982698783e+00};
      constant Real d[5] = {7.784695709041462e-03, 3.224671290700398e-01,
        2.445134137142996e+00, 3.754408661907416e+00, 1.0};
      Real q;
      Real e;
      Real u;
    algorithm
      if p < 0.02425 then
        q := sqrt(-2*log(p));
        x := Modelica.Math.Polynomials.evaluate(c, q)/
          Modelica.Math.Polynomials.evaluate(d, q);
      elseif p > 1 - 0.02425 then
        q := sqrt(-2*log(1 - p));
        x := -Modelica.Math.Polynomials.evaluate(c, q)/
          Modelica.Math.Polynomials.evaluate(d, q);
      else
        q := p - 0.5;
        x := q*Modelica.Math.Polynomials.evaluate(a, q*q)/
          Modelica.Math.Polynomials.evaluate(b, q*q);
      end if;
      e := normalPart(x) - p;
      u := e*sqrt(2*Modelica.Constants.pi)*exp(x*x/2);
      x := x - u/(1 + x*u/2);
    end normal;

    function normalPart "The part of a normal population below x"
      // Marsaglia's series for small |x|, J. Stat. Softw. 11(4) (2004); for
      // large ones the continued fraction of the complement.
      input Real x "Number";
      output Real p "Part";
    protected
      Real term;
      Real z = abs(x);
      Real f;
    algorithm
      if z < 5 then
        term := x;
        p := x;
        for k in 1:100 loop
          term := term*x*x/(2*k + 1);
          p := p + term;
        end for;
        p := 0.5 + p*exp(-x*x/2)/sqrt(2*Modelica.Constants.pi);
      else
        f := z;
        for k in 1:60 loop
          f := z + (61 - k)/f;
        end for;
        p := exp(-z*z/2)/(f*sqrt(2*Modelica.Constants.pi));
        p := if x > 0 then 1 - p else p;
      end if;
    end normalPart;
  end Internal;
end Noise;
