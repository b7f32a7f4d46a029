within Modelica.Blocks;
package Interfaces "Signals of blocks, and blocks without a behaviour yet"
  connector RealInput = input Real "A Real signal that comes in";
  connector RealOutput = output Real "A Real signal that goes out";
  connector BooleanInput = input Boolean "A Boolean signal that comes in";
  connector BooleanOutput = output Boolean "A Boolean signal that goes out";
  connector IntegerInput = input Integer "An Integer signal that comes in";
  connector IntegerOutput = output Integer "An Integer signal that goes out";

  partial block Block "Any block" end Block;

  partial block SO "One Real output"
    extends Block;
    RealOutput y "Output";
  end SO;

  partial block MO "Several Real outputs"
    extends Block;
    parameter Integer nout(min = 1) = 1 "Number of outputs";
    RealOutput y[nout] "Outputs";
  end MO;

  partial block SISO "One Real input, one Real output"
    extends Block;
    RealInput u "Input";
    RealOutput y "Output";
  end SISO;

  partial block SI2SO "Two Real inputs, one Real output"
    extends Block;
    RealInput u1 "First input";
    RealInput u2 "Second input";
    RealOutput y "Output";
  end SI2SO;

  partial block SIMO "One Real input, several Real outputs"
    extends Block;
    parameter Integer nout(min = 1) = 1 "Number of outputs";
    RealInput u "Input";
    RealOutput y[nout] "Outputs";
  end SIMO;

  partial block MISO "Several Real inputs, one Real output"
    extends Block;
    parameter Integer nin(min = 1) = 1 "Number of inputs";
    RealInput u[nin] "Inputs";
    RealOutput y "Output";
  end MISO;

  partial block MIMO "Several Real inputs, several Real outputs"
    extends Block;
    parameter Integer nin(min = 1) = 1 "Number of inputs";
    parameter Integer nout(min = 1) = 1 "Number of outputs";
    RealInput u[nin] "Inputs";
    RealOutput y[nout] "Outputs";
  end MIMO;

  partial block MIMOs "As many Real outputs as Real inputs"
    extends Block;
    parameter Integer n(min = 1) = 1 "Number of inputs and of outputs";
    RealInput u[n] "Inputs";
    RealOutput y[n] "Outputs";
  end MIMOs;

  partial block IntegerSO "One Integer output"
    extends Block;
    IntegerOutput y "Output";
  end IntegerSO;

  partial block IntegerMO "Several Integer outputs"
    extends Block;
    parameter Integer nout(min = 1) = 1 "Number of outputs";
    IntegerOutput y[nout] "Outputs";
  end IntegerMO;

  partial block IntegerSISO "One Integer input, one Integer output"
    extends Block;
    IntegerInput u "Input";
    IntegerOutput y "Output";
  end IntegerSISO;

  partial block IntegerSI2SO "Two Integer inputs, one Integer output"
    extends Block;
    IntegerInput u1 "First input";
    IntegerInput u2 "Second input";
    IntegerOutput y "Output";
  end IntegerSI2SO;

  partial block IntegerSIMO "One Integer input, several Integer outputs"
    extends Block;
    parameter Integer nout(min = 1) = 1 "Number of outputs";
    IntegerInput u "Input";
    IntegerOutput y[nout] "Outputs";
  end IntegerSIMO;

  partial block IntegerMISO "Several Integer inputs, one Integer output"
    extends Block;
    parameter Integer nin(min = 1) = 1 "Number of inputs";
    IntegerInput u[nin] "Inputs";
    IntegerOutput y "Output";
  end IntegerMISO;

  partial block IntegerMIMO "Several Integer inputs, several Integer outputs"
    extends Block;
    parameter Integer nin(min = 1) = 1 "Number of inputs";
    parameter Integer nout(min = 1) = 1 "Number of outputs";
    IntegerInput u[nin] "Inputs";
    IntegerOutput y[nout] "Outputs";
  end IntegerMIMO;

  partial block IntegerMIMOs "As many Integer outputs as Integer inputs"
    extends Block;
    parameter Integer n(min = 1) = 1 "Number of inputs and of outputs";
    IntegerInput u[n] "Inputs";
    IntegerOutput y[n] "Outputs";
  end IntegerMIMOs;

  partial block BooleanSO "One Boolean output"
    extends Block;
    BooleanOutput y "Output";
  end BooleanSO;

  partial block BooleanMO "Several Boolean outputs"
    extends Block;
    parameter Integer nout(min = 1) = 1 "Number of outputs";
    BooleanOutput y[nout] "Outputs";
  end BooleanMO;

  partial block BooleanSISO "One Boolean input, one Boolean output"
    extends Block;
    BooleanInput u "Input";
    BooleanOutput y "Output";
  end BooleanSISO;

  partial block BooleanSI2SO "Two Boolean inputs, one Boolean output"
    extends Block;
    BooleanInput u1 "First input";
    BooleanInput u2 "Second input";
    BooleanOutput y "Output";
  end BooleanSI2SO;

  partial block BooleanSIMO "One Boolean input, several Boolean outputs"
    extends Block;
    parameter Integer nout(min = 1) = 1 "Number of outputs";
    BooleanInput u "Input";
    BooleanOutput y[nout] "Outputs";
  end BooleanSIMO;

  partial block BooleanMISO "Several Boolean inputs, one Boolean output"
    extends Block;
    parameter Integer nin(min = 1) = 1 "Number of inputs";
    BooleanInput u[nin] "Inputs";
    BooleanOutput y "Output";
  end BooleanMISO;

  partial block BooleanMIMO "Several Boolean inputs, several Boolean outputs"
    extends Block;
    parameter Integer nin(min = 1) = 1 "Number of inputs";
    parameter Integer nout(min = 1) = 1 "Number of outputs";
    BooleanInput u[nin] "Inputs";
    BooleanOutput y[nout] "Outputs";
  end BooleanMIMO;

  partial block BooleanMIMOs "As many Boolean outputs as Boolean inputs"
    extends Block;
    parameter Integer n(min = 1) = 1 "Number of inputs and of outputs";
    BooleanInput u[n] "Inputs";
    BooleanOutput y[n] "Outputs";
  end BooleanMIMOs;

  partial block MI2MO "Twice n inputs, n outputs"
    extends Block;
    parameter Integer n(min = 1) = 1 "Number of outputs";
    RealInput u1[n] "First inputs";
    RealInput u2[n] "Second inputs";
    RealOutput y[n] "Outputs";
  end MI2MO;

  partial block SI "One Real input"
    extends Block;
    RealInput u "Input";
  end SI;

  partial block MI "Several Real inputs"
    extends Block;
    parameter Integer nin(min = 1) = 1 "Number of inputs";
    RealInput u[nin] "Inputs";
  end MI;

  partial block SVcontrol "A controller of one variable"
    extends Block;
    RealInput u_s "Set point";
    RealInput u_m "Measurement";
    RealOutput y "Output to the actuator";
  end SVcontrol;

  partial block MVcontrol "A controller of several variables"
    extends Block;
    parameter Integer nu_s = 1 "Number of set points";
    parameter Integer nu_m = 1 "Number of measurements";
    parameter Integer ny = 1 "Number of outputs";
    RealInput u_s[nu_s] "Set points";
    RealInput u_m[nu_m] "Measurements";
    RealOutput y[ny] "Outputs to the actuators";
  end MVcontrol;

  partial block PartialIntegerSI "One Integer input"
    extends Block;
    IntegerInput u "Input";
  end PartialIntegerSI;

  partial block PartialBooleanSI "One Boolean input"
    extends Block;
    BooleanInput u "Input";
  end PartialBooleanSI;

  partial block partialBooleanSI = PartialBooleanSI "One Boolean input";
  partial block partialBooleanSO = BooleanSO "One Boolean output";
  partial block partialBooleanSISO = BooleanSISO
    "One Boolean input, one Boolean output";
  partial block partialBooleanSI2SO = BooleanSI2SO
    "Two Boolean inputs, one Boolean output";
  partial block partialBooleanSource = partialBooleanSO
    "A Boolean source";
  partial block partialIntegerSO = IntegerSO "One Integer output";
  partial block partialIntegerSI = PartialIntegerSI "One Integer input";
  partial block partialIntegerSISO = IntegerSISO
    "One Integer input, one Integer output";

  partial block partialBooleanThresholdComparison
    "One Real input, compared with a number"
    extends Block;
    parameter Real threshold = 0 "What the input is compared with";
    RealInput u "Input";
    BooleanOutput y "Whether it compares so";
  end partialBooleanThresholdComparison;

  partial block partialBooleanComparison "Two Real inputs, compared"
    extends Block;
    RealInput u1 "First input";
    RealInput u2 "Second input";
    BooleanOutput y "Whether they compare so";
  end partialBooleanComparison;

  partial block BooleanVectorMISO
    "Several Boolean inputs, one Boolean output"
    extends Block;
    parameter Integer nu(min = 0) = 0 "Number of inputs";
    BooleanInput u[nu] "Inputs";
    BooleanOutput y "Output";
  end BooleanVectorMISO;

  partial block PartialRealMISO "Several Real inputs, one Real output"
    extends Block;
    parameter Integer significantDigits(min = 1) = 3 "Digits that are shown";
    parameter Integer nu(min = 0) = 0 "Number of inputs";
    RealInput u[nu] "Inputs";
    RealOutput y "Output";
  end PartialRealMISO;

  partial block PartialIntegerMISO
    "Several Integer inputs, one Integer output"
    extends Block;
    parameter Integer nu(min = 0) = 0 "Number of inputs";
    IntegerInput u[nu] "Inputs";
    IntegerOutput y "Output";
  end PartialIntegerMISO;

  partial block PartialBooleanMISO = BooleanVectorMISO
    "Several Boolean inputs, one Boolean output";

  partial block SignalSource "A source with an offset and a beginning"
    extends SO;
    parameter Real offset = 0 "Output before the signal begins";
    parameter Modelica.Units.SI.Time startTime = 0
      "When the signal begins; before, y = offset";
  end SignalSource;

  partial block DiscreteBlock "Acts every samplePeriod"
    extends Block;
    parameter Modelica.Units.SI.Time samplePeriod(min = 100*1e-15, start = 0.1)
      "Time between two samples";
    parameter Modelica.Units.SI.Time startTime = 0 "Time of the first sample";
  protected
    output Boolean sampleTrigger "True at the sampling times";
    output Boolean firstTrigger(start = false, fixed = true)
      "True at the first sampling time";
  equation
    sampleTrigger = sample(startTime, samplePeriod);
    when sampleTrigger then
      firstTrigger = time <= startTime + samplePeriod/2;
    end when;
  end DiscreteBlock;

  partial block DiscreteSISO "One input, one output, sampled"
    extends DiscreteBlock;
    RealInput u "Input";
    RealOutput y "Output";
  end DiscreteSISO;

  partial block DiscreteMIMO "Several inputs and outputs, sampled"
    extends DiscreteBlock;
    parameter Integer nin(min = 1) = 1 "Number of inputs";
    parameter Integer nout(min = 1) = 1 "Number of outputs";
    RealInput u[nin] "Inputs";
    RealOutput y[nout] "Outputs";
  end DiscreteMIMO;

  partial block DiscreteMIMOs "As many outputs as inputs, sampled"
    extends DiscreteBlock;
    parameter Integer n(min = 1) = 1 "Number of inputs and of outputs";
    RealInput u[n] "Inputs";
    RealOutput y[n] "Outputs";
  end DiscreteMIMOs;
end Interfaces;
