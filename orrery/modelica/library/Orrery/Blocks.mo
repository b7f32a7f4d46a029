within Orrery;
package Blocks "Signals: what other tools for block diagrams also have"
  import Modelica.Blocks.Interfaces.*;
  import Modelica.Constants.pi;

  package Sources "Signals that come from nowhere"
    block Square "A rectangular wave between -amplitude and amplitude"
      extends SO;
      parameter Real amplitude = 1 "Half the distance of the two values";
      parameter Modelica.Units.SI.Frequency f(start = 1) "Frequency";
      parameter Modelica.Units.SI.Angle phase = 0 "Phase at time 0";
      parameter Real duty(min = 0, max = 1) = 0.5 "Part of a period on top";
    protected
      Real turns = f*time + phase/(2*pi) "Periods since the first";
    equation
      y = if turns - floor(turns) < duty then amplitude else -amplitude;
    end Square;

    block Triangle "A triangular wave, with the zeros and tops of a sine"
      extends SO;
      parameter Real amplitude = 1 "Largest value";
      parameter Modelica.Units.SI.Frequency f(start = 1) "Frequency";
      parameter Modelica.Units.SI.Angle phase = 0 "Phase at time 0";
    protected
      Real turns = f*time + phase/(2*pi) + 0.25 "Periods since a low";
    equation
      y = amplitude*(1 - 4*abs(turns - floor(turns) - 0.5));
    end Triangle;

    block Chirp "A sine whose frequency goes to and fro between two values"
      extends SO;
      parameter Real amplitude = 1 "Amplitude";
      parameter Modelica.Units.SI.Frequency f0(start = 1) "First frequency";
      parameter Modelica.Units.SI.Frequency BW(start = 1)
        "Width of the band: f0 + BW is the other frequency";
      parameter Modelica.Units.SI.Time T(start = 1)
        "Time from f0 to f0 + BW and back again";
      parameter Modelica.Units.SI.Angle phase = 0 "Phase at time 0";
      Modelica.Units.SI.Frequency f "Frequency now";
      Modelica.Units.SI.Angle phi(start = 0, fixed = true)
        "Phase: der(phi) = 2*pi*f";
    equation
      f = f0 + BW*(1 - abs(1 - 2*(time/T - floor(time/T))));
      der(phi) = 2*pi*f;
      y = amplitude*sin(phi + phase);
    end Chirp;

    block GaussianPulse "A bell of amplitude*exp(-((time - tau)*f_max)^2)"
      extends SO;
      parameter Real amplitude = 1 "Height of the bell";
      parameter Modelica.Units.SI.Frequency f_max(start = 1)
        "The higher, the narrower";
      parameter Modelica.Units.SI.Time tau = 0 "When it is highest";
    equation
      y = amplitude*exp(-((time - tau)*f_max)^2);
    end GaussianPulse;

    block PinkNoise "Random, of a power that falls as 1/frequency"
      // By R. F. Voss and J. McCartney: the octave number i changes every 2^i
      // samples, one of them at each; in M. Gardner, White and brown music,
      // fractal curves and one-over-f fluctuations, Scientific American 238(4)
      // (1978).
      extends Modelica.Blocks.Noise.PartialNoise;
      parameter Real standard_deviation = 1 "Standard deviation";
      parameter Integer num_octaves(min = 1) = 16
        "The power is flat below 1/(2^num_octaves*samplePeriod)";
    protected
      discrete Real octaves[num_octaves] "Normally distributed";
      discrete Integer count "Number of samples";
      discrete Real state2[6] "Of the generator for octaves";
      parameter Real first2[6] = Modelica.Blocks.Noise.Internal.seed(
        if useGlobalSeed then globalSeed.seed else 0, localSeed + 1000003);
      parameter Real start_octaves[num_octaves] =
        Internal.normals(first2, num_octaves);
    initial equation
      pre(octaves) = start_octaves;
      pre(count) = 0;
      pre(state2) = first2;
    equation
      when sample(startTime, samplePeriod) then
        count = pre(count) + 1;
        state2 = Modelica.Blocks.Noise.Internal.next(pre(state2));
        for i in 1:num_octaves loop
          octaves[i] = if mod(count, integer(2^i)) == integer(2^(i - 1)) then
            Modelica.Blocks.Noise.Internal.normal(
              Modelica.Blocks.Noise.Internal.number(state2)) else
            pre(octaves[i]);
        end for;
        r_raw = standard_deviation*(sum(octaves) +
          Modelica.Blocks.Noise.Internal.normal(r))/sqrt(num_octaves + 1);
      end when;
    end PinkNoise;

    package Internal "Not for users"
      function normals "Random numbers, none of those that follow the state"
        input Real state[6] "Of the generator";
        input Integer n "How many";
        output Real x[n] "Normally distributed";
      protected
        Real s[6] = state;
      algorithm
        // As from a state in reverse: the generator's own numbers come later.
        s := {s[3], s[2], s[1], s[6], s[5], s[4]};
        for i in 1:n loop
          s := Modelica.Blocks.Noise.Internal.next(s);
          x[i] := Modelica.Blocks.Noise.Internal.normal(
            Modelica.Blocks.Noise.Internal.number(s));
        end for;
      end normals;
    end Internal;

    block Sequence "Values that hold for one interval each, once or repeated"
      extends SO;
      parameter Real values[:] = {0, 1} "Values";
      parameter Modelica.Units.SI.Time interval(start = 1)
        "How long each one holds";
      parameter Modelica.Units.SI.Time startTime = 0
        "When the first one begins";
      parameter Boolean isRepeated = true
        "Whether the first follows the last; else the last one stays";
    protected
      parameter Integer n = size(values, 1);
      Real step = floor((time - startTime)/interval);
      Real place = if isRepeated then step - n*floor(step/n) else
        min(max(step, 0), n - 1) "Number of the value, from 0";
    equation
      y = sum(if place > i - 1.5 and place < i - 0.5 then values[i] else 0
        for i in 1:n);
    end Sequence;
  end Sources;

  package Math "Functions of signals"
    block Negate "y = -u"
      extends SISO;
    equation
      y = -u;
    end Negate;

    block Inverse "y = 1/u, without the pole"
      extends SISO;
      parameter Real tolerance(min = 0) = 0
        "Within it around 0, y goes straight through 0";
    equation
      y = if noEvent(abs(u) > tolerance) then 1/u else u/tolerance^2;
    end Inverse;

    block Root "y = the n-th root of u, for u >= 0 if n is even"
      extends SISO;
      parameter Integer n(min = 1) = 2 "Which root";
    equation
      y = if mod(n, 2) == 1 and noEvent(u < 0) then -(-u)^(1/n) else u^(1/n);
    end Root;

    block Power "y = u^exponent"
      extends SISO;
      parameter Real exponent = 2 "Exponent";
    equation
      y = u^exponent;
    end Power;

    block Modulo "y = u - modulus*floor(u/modulus)"
      extends SISO;
      parameter Real modulus = 1 "Modulus";
    equation
      y = mod(u, modulus);
    end Modulo;

    block Remainder "y = u1 less a multiple of u2; it has the sign of u1"
      extends SI2SO;
    equation
      y = rem(u1, u2);
    end Remainder;

    block Floor "The largest integer that is not above u"
      extends SISO;
    equation
      y = floor(u);
    end Floor;

    block Ceiling "The smallest integer that is not below u"
      extends SISO;
    equation
      y = ceil(u);
    end Ceiling;

    block Round "The integer nearest to u; halves away from zero"
      extends SISO;
    equation
      y = if u > 0 then floor(u + 0.5) else ceil(u - 0.5);
    end Round;

    block Truncate "u without what stands behind the point"
      extends SISO;
    equation
      y = if u > 0 then floor(u) else ceil(u);
    end Truncate;

    block Norm "The length of the vector u"
      extends MISO;
    equation
      y = sqrt(u*u);
    end Norm;

    block DotProduct "y = u1*u2 of two vectors"
      extends Modelica.Blocks.Icons.Block;
      parameter Integer n(min = 1) = 1 "Size of the vectors";
      RealInput u1[n] "First vector";
      RealInput u2[n] "Second vector";
      RealOutput y "Product";
    equation
      y = u1*u2;
    end DotProduct;

    block CrossProduct "y = u1 x u2 of two vectors of 3"
      extends Modelica.Blocks.Icons.Block;
      RealInput u1[3] "First vector";
      RealInput u2[3] "Second vector";
      RealOutput y[3] "Product";
    equation
      y = cross(u1, u2);
    end CrossProduct;

    block MatrixProduct "y = u1*u2 of two matrices"
      extends Modelica.Blocks.Icons.Block;
      parameter Integer n1(min = 1) = 2 "Rows of u1";
      parameter Integer n(min = 1) = 2 "Columns of u1, rows of u2";
      parameter Integer n2(min = 1) = 2 "Columns of u2";
      RealInput u1[n1, n] "First matrix";
      RealInput u2[n, n2] "Second matrix";
      RealOutput y[n1, n2] "Product";
    equation
      y = u1*u2;
    end MatrixProduct;

    block Transpose "y[j, i] = u[i, j]"
      extends Modelica.Blocks.Icons.Block;
      parameter Integer n1(min = 1) = 2 "Rows of u";
      parameter Integer n2(min = 1) = 2 "Columns of u";
      RealInput u[n1, n2] "Matrix";
      RealOutput y[n2, n1] "Its transpose";
    equation
      y = transpose(u);
    end Transpose;

    block Determinant "y = determinant of a square matrix"
      extends Modelica.Blocks.Icons.Block;
      parameter Integer n(min = 1) = 2 "Rows and columns";
      RealInput u[n, n] "Matrix";
      RealOutput y "Determinant";
    equation
      y = Modelica.Math.Matrices.det(u);
    end Determinant;

    block MatrixInverse "y*u = identity"
      extends Modelica.Blocks.Icons.Block;
      parameter Integer n(min = 1) = 2 "Rows and columns";
      RealInput u[n, n] "Matrix";
      RealOutput y[n, n] "Its inverse";
    equation
      y = Modelica.Math.Matrices.inv(u);
    end MatrixInverse;
  end Math;

  package Logical "Comparisons"
    block Equal "Whether u1 and u2 differ by no more than a tolerance"
      extends partialBooleanComparison;
      parameter Real tolerance(min = 0) = 0 "Largest difference";
    equation
      y = abs(u1 - u2) <= tolerance;
    end Equal;
  end Logical;

  package Nonlinear "Friction, steps and play"
    block Saturation "u, but not above upper and not below lower"
      extends SISO;
      parameter Real lower = -1 "Lower limit";
      parameter Real upper = 1 "Upper limit";
    equation
      assert(lower <= upper, "cannot limit a signal: lower is above upper");
      y = if u > upper then upper else if u < lower then lower else u;
    end Saturation;

    block Quantizer "The multiple of interval that is nearest to u"
      extends SISO;
      parameter Real interval(min = Modelica.Constants.small) = 1
        "Distance of the values";
    equation
      y = interval*floor(u/interval + 0.5);
    end Quantizer;

    block CoulombFriction "y = sign(u)*(gain*|u| + offset)"
      extends SISO;
      parameter Real offset = 1 "Friction at low speed";
      parameter Real gain = 0 "Viscous friction";
    equation
      y = if u > 0 then gain*u + offset else
        if u < 0 then gain*u - offset else 0;
    end CoulombFriction;

    block Backlash "Play of the given width: y rests until it is pushed"
      extends SISO;
      parameter Real width(min = 0) = 1 "Width of the play";
      parameter Modelica.Units.SI.Time T(min = Modelica.Constants.small) = 1e-3
        "Time constant with which y is pushed";
      parameter Real y_start = 0 "Output at the start";
    initial equation
      y = min(max(y_start, u - width/2), u + width/2);
    equation
      der(y) = if u - y > width/2 then (u - y - width/2)/T else
        if u - y < -width/2 then (u - y + width/2)/T else 0;
    end Backlash;

    block Relay "valueOn from u > upper on, valueOff from u < lower on"
      extends SISO;
      parameter Real upper = 1 "Where it switches on";
      parameter Real lower = -1 "Where it switches off";
      parameter Real valueOn = 1 "Output if it is on";
      parameter Real valueOff = 0 "Output if it is off";
      parameter Boolean isOn_start = false "Whether it begins switched on";
      Boolean isOn "Whether it is on";
    initial equation
      pre(isOn) = isOn_start;
    equation
      isOn = u > upper or pre(isOn) and u >= lower;
      y = if isOn then valueOn else valueOff;
    end Relay;

    block HitCrossing "Whether u has just crossed offset"
      extends Modelica.Blocks.Icons.Block;
      parameter Real offset = 0 "Value that is crossed";
      parameter Boolean rising = true "Whether crossing upwards counts";
      parameter Boolean falling = true "Whether crossing downwards counts";
      RealInput u "Input";
      BooleanOutput y "True at the instant of a crossing";
    protected
      Boolean isAbove = u > offset;
    initial equation
      pre(isAbove) = isAbove;
    equation
      y = rising and edge(isAbove) or falling and pre(isAbove) and not isAbove;
    end HitCrossing;
  end Nonlinear;

  package Continuous "Blocks with continuous states"
    import Modelica.Blocks.Types.Init;

    block ZerosPoles "gain*(s - z[1])*.../((s - p[1])*...)"
      extends SISO;
      parameter Real zeros[:, 2] = fill(0.0, 0, 2)
        "Zeros: real and imaginary parts; both of each conjugate pair";
      parameter Real poles[:, 2] = [-1, 0]
        "Poles: real and imaginary parts; both of each conjugate pair";
      parameter Real gain = 1 "Factor";
      parameter Init initType = Init.NoInit "How it begins";
      Modelica.Blocks.Continuous.TransferFunction system(
        b = gain*Internal.fromRoots(zeros), a = Internal.fromRoots(poles),
        initType = initType) "The same as a fraction of polynomials";
    equation
      connect(u, system.u);
      connect(system.y, y);
    end ZerosPoles;

    block LeadLag "y = k*(T1*s + 1)/(T2*s + 1)*u"
      extends SISO;
      parameter Real k = 1 "Factor";
      parameter Modelica.Units.SI.Time T1(start = 1) "Time of the lead";
      parameter Modelica.Units.SI.Time T2(start = 1) "Time of the lag";
      parameter Real x_start = 0 "State at the start";
      Real x(start = x_start, fixed = true) "State: the input, with the lag";
    equation
      T2*der(x) = u - x;
      y = k*(x + T1*der(x));
    end LeadLag;

    block AntiWindupPID
      "PID controller whose integral follows the limited output"
      extends SISO;
      parameter Real Kp = 1 "Factor of the proportional part";
      parameter Real Ki = 0 "Factor of the integral";
      parameter Real Kd = 0 "Factor of the derivative";
      parameter Real f_max(unit = "1/s") = 100
        "The derivative's lag has the time constant 1/f_max";
      parameter Real Ks = 10 "How fast the integral follows";
      parameter Real lower = -1 "Lower limit";
      parameter Real upper = 1 "Upper limit";
      parameter Real xi_start = 0 "Integral at the start";
      parameter Real xd_start = 0 "State of the derivative at the start";
      Real xi(start = xi_start, fixed = true) "Integral";
      Real xd(start = xd_start, fixed = true) "The input, with a lag";
      Real v "Output without limits";
    equation
      der(xi) = Ki*u - Ks*(v - y);
      der(xd) = f_max*(u - xd);
      v = Kp*u + xi + Kd*f_max*(u - xd);
      y = if v > upper then upper else if v < lower then lower else v;
    end AntiWindupPID;

    package Internal "Not for users"
      function fromRoots "Coefficients of the polynomial with given roots"
        input Real roots[:, 2] "Real and imaginary parts";
        output Real c[size(roots, 1) + 1] "The highest power first";
      protected
        Integer n = size(roots, 1);
        Real re[size(roots, 1) + 1];
        Real im[size(roots, 1) + 1];
        Real old;
      algorithm
        re := zeros(size(re, 1));
        im := zeros(size(im, 1));
        re[1] := 1;
        for k in 1:n loop
          for i in 1:k loop
            old := re[k + 2 - i];
            re[k + 2 - i] := old - roots[k, 1]*re[k + 1 - i] +
              roots[k, 2]*im[k + 1 - i];
            im[k + 2 - i] := im[k + 2 - i] - roots[k, 1]*im[k + 1 - i] -
              roots[k, 2]*re[k + 1 - i];
          end for;
        end for;
        c := re;
      end fromRoots;
    end Internal;
  end Continuous;

  package Discrete "Blocks that act at sampling times"
    block Integrator
      "Sum of the samples of u, each times samplePeriod, within limits of y"
      extends DiscreteSISO;
      parameter Boolean isTrapezoidal = false
        "Whether by trapezoids; else by the rectangle before";
      parameter Real y_start = 0 "Output at the start";
      parameter Real outMax = Modelica.Constants.inf "Upper limit of y";
      parameter Real outMin = -outMax "Lower limit of y";
    protected
      discrete Real u_last "Sample before";
    initial equation
      pre(y) = y_start;
      pre(u_last) = 0;
    equation
      assert(outMax >= outMin,
        "cannot integrate within limits: outMax is below outMin");
      when sampleTrigger then
        u_last = u;
        y = if firstTrigger then y_start else
          min(max(pre(y) + samplePeriod*(if isTrapezoidal then
            (u + pre(u_last))/2 else pre(u_last)), outMin), outMax);
      end when;
    end Integrator;

    block FIR "y = coefs[1]*u + coefs[2]*(u one sample before) + ..."
      extends DiscreteSISO;
      parameter Real coefs[:] = {1} "Coefficients, that of the newest first";
    protected
      discrete Real x[size(coefs, 1)](each start = 0, each fixed = true)
        "Samples, the newest first";
    equation
      when sampleTrigger then
        x[1] = u;
        for i in 2:size(coefs, 1) loop
          x[i] = pre(x[i - 1]);
        end for;
        y = coefs*x;
      end when;
    end FIR;

    block SecondOrderSections "Digital filters of second order in a row"
      extends DiscreteSISO;
      parameter Real sections[:, 6] = [1, 0, 0, 1, 0, 0]
        "Each b0, b1, b2, a0, a1, a2: (b0 + b1/z + b2/z^2)/(a0 + a1/z + a2/z^2)";
      discrete Real x1[n](each start = 0, each fixed = true)
        "States of the transposed direct form";
      discrete Real x2[n](each start = 0, each fixed = true)
        "Those behind them";
    protected
      parameter Integer n = size(sections, 1);
      discrete Real v[n + 1] "Inputs of the filters, and the last one's output";
    equation
      when sampleTrigger then
        v[1] = u;
        for i in 1:n loop
          v[i + 1] = sections[i, 1]/sections[i, 4]*v[i] + pre(x1[i]);
          x1[i] = (sections[i, 2]*v[i] - sections[i, 5]*v[i + 1])/
            sections[i, 4] + pre(x2[i]);
          x2[i] = (sections[i, 3]*v[i] - sections[i, 6]*v[i + 1])/
            sections[i, 4];
        end for;
        y = v[n + 1];
      end when;
    end SecondOrderSections;

    block Counter "How often trigger has become true"
      extends Modelica.Blocks.Icons.Block;
      parameter Integer y_start = 0 "Count at the start";
      BooleanInput trigger "Counted when it becomes true";
      IntegerOutput y(start = y_start, fixed = true) "Count";
    equation
      when trigger then
        y = pre(y) + 1;
      end when;
    end Counter;
  end Discrete;
end Blocks;
