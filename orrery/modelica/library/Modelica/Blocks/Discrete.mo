within Modelica.Blocks;
package Discrete "Blocks that act at sampling times"
  import Modelica.Blocks.Interfaces.*;

  block Sampler "The last sample of u"
    extends DiscreteSISO;
  equation
    when {sampleTrigger, initial()} then
      y = u;
    end when;
  end Sampler;

  block ZeroOrderHold "The last sample of u, held until the next one"
    extends DiscreteSISO;
  protected
    Real ySample(start = 0, fixed = true) "Last sample";
  equation
    when {sampleTrigger, initial()} then
      ySample = u;
    end when;
    y = pre(ySample);
  end ZeroOrderHold;

  block FirstOrderHold "Goes on along the line through the last two samples"
    extends DiscreteSISO;
  protected
    Real ySample "Last sample";
    Modelica.Units.SI.Time tSample "When it was";
    Real slope "Slope of the line";
  initial equation
    pre(tSample) = time;
    pre(ySample) = u;
    pre(slope) = 0;
  equation
    when sampleTrigger then
      ySample = u;
      tSample = time;
      slope = if firstTrigger then 0.0 else (ySample - pre(ySample))/
        samplePeriod;
    end when;
    y = pre(ySample) + pre(slope)*(time - pre(tSample));
  end FirstOrderHold;

  block UnitDelay "The sample of u before the last one"
    extends DiscreteSISO;
    parameter Real y_start = 0 "Output before the second sample";
  protected
    Real u_last "Last sample";
  initial equation
    pre(y) = y_start;
    pre(u_last) = y_start;
  equation
    when sampleTrigger then
      u_last = u;
      y = pre(u_last);
    end when;
  end UnitDelay;

  block TransferFunction
    "y = (b[1]*z^m + ... + b[m+1])/(a[1]*z^n + ... + a[n+1])*u"
    extends DiscreteSISO;
    parameter Real b[:] = {1} "Numerator, the highest power first";
    parameter Real a[:] = {1} "Denominator, the highest power first";
    discrete Real x[size(a, 1) - 1](each start = 0, each fixed = true)
      "States, of the controller canonical form";
  protected
    parameter Integer na = size(a, 1);
    parameter Integer nb = size(b, 1);
    parameter Integer nx = size(a, 1) - 1;
    parameter Real bb[:] = cat(1, zeros(max(0, na - nb)), b);
    discrete Real x1 "Newest value in the line of delays";
  equation
    assert(nb <= na, "cannot simulate a transfer function whose numerator " +
      "is of a higher degree than its denominator");
    when sampleTrigger then
      x1 = (u - a[2:na]*pre(x))/a[1];
      y = bb[1]*x1 + bb[2:na]*pre(x);
      for i in 1:nx loop
        x[i] = if i == 1 then x1 else pre(x[max(i - 1, 1)]);
      end for;
    end when;
  end TransferFunction;

  block StateSpace "x = A*pre(x) + B*u, y = C*pre(x) + D*u"
    extends DiscreteMIMO(final nin = size(B, 2), final nout = size(C, 1));
    parameter Real A[:, size(A, 1)] = [1, 0; 0, 1] "Of states on states";
    parameter Real B[size(A, 1), :] = [1; 1] "Of inputs on states";
    parameter Real C[:, size(A, 1)] = [1, 1] "Of states on outputs";
    parameter Real D[size(C, 1), size(B, 2)] = zeros(size(C, 1), size(B, 2))
      "Of inputs on outputs";
    output Real x[size(A, 1)] "States";
  equation
    when sampleTrigger then
      x = A*pre(x) + B*u;
      y = C*pre(x) + D*u;
    end when;
  end StateSpace;

  block TriggeredSampler "u as it was when trigger last became true"
    extends Modelica.Blocks.Icons.DiscreteBlock;
    parameter Real y_start = 0 "Output before";
    RealInput u "Input";
    BooleanInput trigger "When it is sampled";
    RealOutput y "Output";
  initial equation
    y = y_start;
  equation
    when trigger then
      y = u;
    end when;
  end TriggeredSampler;

  block TriggeredMax "The largest |u| of all times when trigger became true"
    extends Modelica.Blocks.Icons.DiscreteBlock;
    RealInput u "Input";
    BooleanInput trigger "When it is sampled";
    RealOutput y(start = 0, fixed = true) "Output";
  equation
    when trigger then
      y = max(pre(y), abs(u));
    end when;
  end TriggeredMax;
end Discrete;
