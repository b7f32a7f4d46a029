package Discretes "Blocks that act at sampling times, and logic with memory"
  model Sampling
    import Modelica.Blocks.Discrete.*;
    Sampler sampler(samplePeriod = 0.1, u = time);
    ZeroOrderHold hold(samplePeriod = 0.1, u = time);
    FirstOrderHold line(samplePeriod = 0.1, u = time^2);
    UnitDelay unitDelay(samplePeriod = 0.1, u = time, y_start = 7);
    TransferFunction lag(samplePeriod = 0.1, b = {1}, a = {1, -0.5}, u = 1);
    TransferFunction through(samplePeriod = 0.1, b = {2, 1}, a = {1, -0.5},
      u = 1);
    StateSpace states(samplePeriod = 0.1, A = [0.5], B = [1], C = [1], D = [3],
      u = {1});
    TriggeredSampler triggered(u = time, trigger = time > 0.15, y_start = 5);
    TriggeredMax peak(u = sin(20*time), trigger = sample(0.05, 0.05));
    Orrery.Blocks.Discrete.Integrator rectangles(samplePeriod = 0.1, u = time);
    Orrery.Blocks.Discrete.Integrator trapezoids(samplePeriod = 0.1, u = time,
      isTrapezoidal = true);
    Orrery.Blocks.Discrete.Integrator limited(samplePeriod = 0.1, y_start = 3,
      u = if time < 0.15 then 10 else -10, outMax = 4, outMin = 2.5);
    Orrery.Blocks.Discrete.FIR mean(samplePeriod = 0.1, coefs = {0.5, 0.5},
      u = time);
    Orrery.Blocks.Discrete.Counter ticks(trigger = sample(0.02, 0.02));
    Modelica.Blocks.MathInteger.TriggeredAdd adder(u = 3,
      trigger = sample(0.1, 0.1));
  end Sampling;

  model Memory "u = sin(2*pi*(time - 0.1)) rises at 0.1, 1.1, 2.1, ..."
    import Modelica.Blocks.Logical.*;
    import Modelica.Blocks.MathBoolean;
    Real u = sin(2*Modelica.Constants.pi*(time - 0.1));
    Boolean b = u > 0;
    Boolean late = time > 0.5;
    Timer timer(u = late);
    TimerAccumulating total(u = b);
    RSFlipFlop flipFlop(S = time > 0.2 and time < 0.3,
      R = time > 0.6 and time < 0.7);
    RSFlipFlop set(Qini = true, S = false, R = false);
    Hysteresis hysteresis(uLow = -0.5, uHigh = 0.5, u = u);
    OnOffController controller(bandwidth = 0.2, reference = 0, u = u);
    MathBoolean.OnDelay onDelay(delayTime = 0.3, u = late);
    TriggeredTrapezoid trapezoid(amplitude = 1, rising = 0.5, falling = 0.25,
      u = time > 1 and time < 2);
    Orrery.Blocks.Nonlinear.Relay relay(upper = 0.5, lower = -0.5, u = u,
      valueOn = 4, valueOff = -4);
    Edge edge1(u = u > 0);
    FallingEdge falls(u = u > 0);
    Change changes(u = -u < 0);
    ZeroCrossing crossings(u = u, enable = time > 0.5);
    Orrery.Blocks.Nonlinear.HitCrossing hits(u = u, offset = 0.5);
    Pre pre1(u = 2*u > 0);
    Integer rises(start = 0, fixed = true);
    Integer fallings(start = 0, fixed = true);
    Integer flips(start = 0, fixed = true);
    Integer zeros(start = 0, fixed = true);
    Integer crossed(start = 0, fixed = true);
    Integer afterPre(start = 0, fixed = true);
  equation
    when edge1.y then
      rises = pre(rises) + 1;
    end when;
    when falls.y then
      fallings = pre(fallings) + 1;
    end when;
    when changes.y then
      flips = pre(flips) + 1;
    end when;
    when crossings.y then
      zeros = pre(zeros) + 1;
    end when;
    when hits.y then
      crossed = pre(crossed) + 1;
    end when;
    when pre1.y then
      afterPre = pre(afterPre) + 1;
    end when;
  end Memory;

  model Averages "Of whole periods"
    import Modelica.Blocks.Math.*;
    Real phi = 2*Modelica.Constants.pi*time;
    Mean mean(f = 1, u = time);
    RectifiedMean rectified(f = 1, u = sin(phi));
    RootMeanSquare rms(f = 1, u = sin(phi));
    Harmonic harmonic(f = 1, k = 1, u = 3*sin(phi));
    Harmonic conjugate(f = 1, k = 3, useConjugateComplex = true,
      u = 1 + cos(phi) + sqrt(0.5)*cos(3*phi + 0.3));
    TotalHarmonicDistortion distortion(f = 1, u = sin(phi) + 0.1*sin(2*phi));
  end Averages;

  model Beginnings "What holds at the start, and before the first sample"
    Modelica.Blocks.Logical.ZeroCrossing crossings(u = sin(time),
      enable = true);
    Modelica.Blocks.Discrete.FirstOrderHold line(samplePeriod = 1,
      startTime = 2, u = 5 + time);
    Integer zeros(start = 0, fixed = true);
  equation
    when crossings.y then
      zeros = pre(zeros) + 1;
    end when;
  end Beginnings;

  model Ends
    Modelica.Blocks.Logical.TerminateSimulation ends(condition = time > 1.5,
      terminationText = "over");
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1;
  end Ends;

  model Sources "Whose edges are ticks"
    Modelica.Blocks.Sources.SampleTrigger trigger(period = 0.1);
    Modelica.Blocks.Sources.RadioButtonSource radio(buttonTimeTable = {0.3, 0.9},
      reset = {time > 0.6});
    Integer ticks(start = 0, fixed = true);
    Real area(start = 0, fixed = true) "Of pulses: 25 % of the time";
    Modelica.Blocks.Sources.Pulse pulse(amplitude = 4, width = 25,
      period = 0.1);
    Modelica.Blocks.Sources.SawTooth saw(amplitude = 2, period = 0.1);
    Real teeth(start = 0, fixed = true);
  equation
    der(area) = pulse.y;
    der(teeth) = saw.y;
    when trigger.y then
      ticks = pre(ticks) + 1;
    end when;
  end Sources;

  model Tables "Integrals over kinks and jumps"
    import Modelica.Blocks.Sources.*;
    import Modelica.Blocks.Types.*;
    TimeTable table(table = [0, 0; 1, 2; 1, 3; 2, 5]);
    CombiTimeTable steps(table = [0, 1; 0.3, 4; 0.7, -2],
      smoothness = Smoothness.ConstantSegments);
    CombiTimeTable lines(table = [0, 1; 0.3, 4; 0.3, 0; 0.7, -2],
      extrapolation = Extrapolation.HoldLastPoint);
    CombiTimeTable teeth(table = [0, 1; 0.3, 4],
      extrapolation = Extrapolation.Periodic);
    Real a(start = 0, fixed = true);
    Real b(start = 0, fixed = true);
    Real c(start = 0, fixed = true);
    Real d(start = 0, fixed = true);
  equation
    der(a) = table.y;
    der(b) = steps.y[1];
    der(c) = lines.y[1];
    der(d) = teeth.y[1];
  end Tables;

  model Machine "idle, run until x > 2, stop until x < 0.5, idle, run, stop"
    type State = enumeration(idle, run, stop);
    State s(start = State.idle, fixed = true);
    Real x(start = 0, fixed = true);
  equation
    der(x) = if s == State.run then 1 else -0.1;
    when time > 1 and pre(s) == State.idle then
      s = State.run;
    elsewhen x > 2 then
      s = State.stop;
    elsewhen x < 0.5 and pre(s) == State.stop then
      s = State.idle;
    end when;
  end Machine;

  model Statements "A when-statement, and what follows it"
    Real x(start = 0, fixed = true);
    discrete Real y[3](each start = 0, each fixed = true);
    Integer n(start = 0, fixed = true);
    Real z;
  equation
    der(x) = 1;
  algorithm
    when {x > 0.75, sample(0.5, 0.5)} then
      for j in 1:3 loop
        y[j] := pre(y[j]) + j;
      end for;
      n := n + 1;
    end when;
    z := if n > 2 then y[3] else x;
  end Statements;
  model Edges "Blocks that say that something has just changed"
    Boolean b = sin(2*Modelica.Constants.pi*time) > 0;
    Modelica.Blocks.MathBoolean.RisingEdge rising(u = b);
    Modelica.Blocks.MathBoolean.FallingEdge falling(u = not b);
    Modelica.Blocks.MathBoolean.ChangingEdge changing(u = b == true);
    Modelica.Blocks.Math.BooleanChange booleans(u = b and true);
    Modelica.Blocks.Math.IntegerChange integers(u = integer(4*time));
    Modelica.Blocks.Sources.Clock clock(offset = 1);
    Modelica.Blocks.Routing.Replicator copies(nout = 2, u = 3*time);
    Modelica.Blocks.Routing.Extractor third(nin = 3, u = {4, 5, 6 + time},
      index = 3);
    Modelica.Blocks.Routing.Extractor none(nin = 3, u = {4, 5, 6}, index = 4,
      outOfRangeValue = -1, allowOutOfRange = true);
    Modelica.Blocks.Tables.CombiTable1D curve(table = [0, 1; 2, 5], u = {1.5});
    Modelica.Blocks.Tables.CombiTable2D surface(table = [0, 0, 1; 0, 1, 2;
      1, 3, 8], u1 = 0.5, u2 = 0.5);
    Integer n[5](each start = 0, each fixed = true) "How often each was true";
  equation
    when rising.y then
      n[1] = pre(n[1]) + 1;
    end when;
    when falling.y then
      n[2] = pre(n[2]) + 1;
    end when;
    when changing.y then
      n[3] = pre(n[3]) + 1;
    end when;
    when booleans.y then
      n[4] = pre(n[4]) + 1;
    end when;
    when integers.y then
      n[5] = pre(n[5]) + 1;
    end when;
  end Edges;

  model Delays
    Modelica.Blocks.Nonlinear.FixedDelay fixedDelay(delayTime = 0.5,
      u = sin(time));
    Modelica.Blocks.Nonlinear.VariableDelay variableDelay(delayMax = 1,
      delayTime = 0.25 + 0.1*time, u = sin(time));
    Modelica.Blocks.Nonlinear.FixedDelay none(delayTime = 0, u = sin(time));
    Modelica.Blocks.Sources.BooleanPulse pulses(period = 0.5, width = 20);
    Modelica.Blocks.Nonlinear.FixedDelay later(delayTime = 0.3,
      u = if pulses.y then 1 else 0);
    Real onTime(start = 0, fixed = true) "How long it has been on";
  equation
    der(onTime) = later.y;
  end Delays;
end Discretes;
