within Modelica.Blocks;
package Sources "Signals that come from nowhere"
  import Modelica.Blocks.Interfaces.*;
  import Modelica.Constants.pi;

  block RealExpression "A formula over variables of the model around"
    RealOutput y = 0.0 "The formula";
  end RealExpression;

  block IntegerExpression "A formula over variables of the model around"
    IntegerOutput y = 0 "The formula";
  end IntegerExpression;

  block BooleanExpression "A formula over variables of the model around"
    BooleanOutput y = false "The formula";
  end BooleanExpression;

  block ContinuousClock "y = offset + time - startTime, from startTime on"
    extends SignalSource;
  equation
    y = offset + (if time < startTime then 0 else time - startTime);
  end ContinuousClock;

  block Clock = ContinuousClock "The name of ContinuousClock in version 3";

  block Constant "y = k"
    extends SO;
    parameter Real k(start = 1) "Output";
  equation
    y = k;
  end Constant;

  block Step "From offset to offset + height at startTime"
    extends SignalSource;
    parameter Real height = 1 "Height of the step";
  equation
    y = offset + (if time < startTime then 0 else height);
  end Step;

  block Ramp "From offset to offset + height within duration"
    extends SignalSource;
    parameter Real height = 1 "Height of the ramp";
    parameter Modelica.Units.SI.Time duration(min = 0, start = 2)
      "Time that it takes; 0 is a step";
  equation
    y = offset + (if time < startTime then 0 else
      if time < startTime + duration then
        (time - startTime)*height/duration else height);
  end Ramp;

  block Sine
    "y = offset + amplitude*sin(2*pi*f*(time - startTime) + phase)"
    extends SignalSource;
    parameter Real amplitude = 1 "Amplitude";
    parameter Modelica.Units.SI.Frequency f(start = 1) "Frequency";
    parameter Modelica.Units.SI.Angle phase = 0 "Phase at startTime";
    parameter Boolean continuous = false
      "Whether y does not jump at startTime: the phase already holds before";
  equation
    y = offset + amplitude*(if time < startTime then
      (if continuous then sin(phase) else 0) else
      sin(2*pi*f*(time - startTime) + phase));
  end Sine;

  block Cosine
    "y = offset + amplitude*cos(2*pi*f*(time - startTime) + phase)"
    extends SignalSource;
    parameter Real amplitude = 1 "Amplitude";
    parameter Modelica.Units.SI.Frequency f(start = 1) "Frequency";
    parameter Modelica.Units.SI.Angle phase = 0 "Phase at startTime";
    parameter Boolean continuous = false
      "Whether y does not jump at startTime: the phase already holds before";
  equation
    y = offset + amplitude*(if time < startTime then
      (if continuous then cos(phase) else 0) else
      cos(2*pi*f*(time - startTime) + phase));
  end Cosine;

  partial block PartialVariableWave
    "A wave whose frequency and amplitude may be signals"
    extends SO;
    parameter Boolean useConstantAmplitude = false
      "Whether the amplitude is constantAmplitude, not an input";
    parameter Real constantAmplitude = 1 "Amplitude if it is constant";
    parameter Boolean useConstantFrequency = false
      "Whether the frequency is constantFrequency, not an input";
    parameter Modelica.Units.SI.Frequency constantFrequency = 1
      "Frequency if it is constant";
    parameter Real offset = 0 "Mean of the output";
    Modelica.Units.SI.Angle phi(start = 0) "Phase: der(phi) = 2*pi*frequency";
    RealInput amplitude if not useConstantAmplitude "Amplitude";
    RealInput f(unit = "Hz") if not useConstantFrequency "Frequency";
  protected
    RealInput amplitude_internal "The amplitude that holds";
    RealInput f_internal(unit = "Hz") "The frequency that holds";
  equation
    connect(amplitude, amplitude_internal);
    connect(f, f_internal);
    if useConstantAmplitude then
      amplitude_internal = constantAmplitude;
    end if;
    if useConstantFrequency then
      f_internal = constantFrequency;
    end if;
    der(phi) = 2*pi*f_internal;
  end PartialVariableWave;

  block SineVariableFrequencyAndAmplitude
    "y = offset + amplitude*sin(phi), der(phi) = 2*pi*f, of signals"
    extends PartialVariableWave;
  equation
    y = offset + amplitude_internal*sin(phi);
  end SineVariableFrequencyAndAmplitude;

  block CosineVariableFrequencyAndAmplitude
    "y = offset + amplitude*cos(phi), der(phi) = 2*pi*f, of signals"
    extends PartialVariableWave;
  equation
    y = offset + amplitude_internal*cos(phi);
  end CosineVariableFrequencyAndAmplitude;

  block Sinc "y = offset + amplitude*sin(x)/x, x = 2*pi*f*(time - startTime)"
    extends SignalSource;
    parameter Real amplitude = 1 "Value at startTime";
    parameter Modelica.Units.SI.Frequency f(start = 1) "Frequency";
  protected
    Modelica.Units.SI.Angle x = 2*pi*f*(time - startTime) "Argument";
  equation
    y = offset + amplitude*(if time < startTime then 0 else
      (if noEvent(time - startTime < Modelica.Constants.eps) then 1 else
        sin(x)/x));
  end Sinc;

  block ExpSine "A damped sine"
    extends SignalSource;
    parameter Real amplitude = 1 "Amplitude at startTime";
    parameter Modelica.Units.SI.Frequency f(start = 2) "Frequency";
    parameter Modelica.Units.SI.Angle phase = 0 "Phase at startTime";
    parameter Modelica.Units.SI.DampingCoefficient damping(start = 1)
      "How fast it decays: the amplitude falls as exp(-damping*t)";
  equation
    y = offset + (if time < startTime then 0 else
      amplitude*exp(-damping*(time - startTime))*
      sin(2*pi*f*(time - startTime) + phase));
  end ExpSine;

  block Exponentials "A rise towards outMax, then a fall"
    extends SignalSource;
    parameter Real outMax = 1 "Height that the rise tends to";
    parameter Modelica.Units.SI.Time riseTime(min = 0, start = 0.5)
      "How long it rises";
    parameter Modelica.Units.SI.Time riseTimeConst(min = 1e-60, start = 0.1)
      "Time constant of the rise";
    parameter Modelica.Units.SI.Time fallTimeConst(min = 1e-60) =
      riseTimeConst "Time constant of the fall";
  protected
    Real y_riseTime "Height when the fall begins";
  equation
    y_riseTime = outMax*(1 - exp(-riseTime/riseTimeConst));
    y = offset + (if time < startTime then 0 else
      if time < startTime + riseTime then
        outMax*(1 - exp(-(time - startTime)/riseTimeConst)) else
        y_riseTime*exp(-(time - startTime - riseTime)/fallTimeConst));
  end Exponentials;

  partial block PartialPeriodic "A signal that repeats itself"
    extends SignalSource;
    parameter Modelica.Units.SI.Time period(min = 1e-60, start = 1)
      "Time of one period";
    parameter Integer nperiod = -1
      "Number of periods; negative: without end";
  protected
    Integer count "Number of the period, from 0";
    Modelica.Units.SI.Time begin = startTime + period*count
      "When the period began";
    Boolean isOn "Whether there is a signal, not only the offset";
  equation
    when initial() then
      count = integer((time - startTime)/period);
    elsewhen sample(startTime, period) then
      count = integer((time - startTime)/period + 0.5);
    end when;
    isOn = count >= 0 and (nperiod < 0 or count < nperiod);
  end PartialPeriodic;

  block Pulse "Rectangles: amplitude for width percent of each period"
    extends PartialPeriodic;
    parameter Real amplitude = 1 "Height of the rectangles";
    parameter Real width(min = Modelica.Constants.small, max = 100) = 50
      "How much of a period they last, in percent";
  equation
    y = offset + (if isOn and time < begin + period*width/100 then
      amplitude else 0);
  end Pulse;

  block SawTooth "Teeth: from 0 to amplitude in each period"
    extends PartialPeriodic;
    parameter Real amplitude = 1 "Height of the teeth";
  equation
    y = offset + (if isOn then amplitude*(time - begin)/period else 0);
  end SawTooth;

  block Trapezoid "Trapezoids: up, on top, down, and pause in each period"
    extends PartialPeriodic;
    parameter Real amplitude = 1 "Height of the trapezoids";
    parameter Modelica.Units.SI.Time rising(min = 0) = 0 "How long it rises";
    parameter Modelica.Units.SI.Time width(min = 0) = 0.5
      "How long it is on top";
    parameter Modelica.Units.SI.Time falling(min = 0) = 0 "How long it falls";
  equation
    y = offset + (if not isOn then 0 else
      if time < begin + rising then amplitude*(time - begin)/rising else
      if time < begin + rising + width then amplitude else
      if time < begin + rising + width + falling then
        amplitude*(begin + rising + width + falling - time)/falling else 0);
  end Trapezoid;

  block LogFrequencySweep
    "From wMin to wMax so that its logarithm grows evenly"
    extends SO;
    parameter Real wMin(min = Modelica.Constants.eps) = 1 "First value";
    parameter Real wMax(min = Modelica.Constants.eps) = 1000 "Last value";
    parameter Modelica.Units.SI.Time startTime = 0 "When it begins to grow";
    parameter Modelica.Units.SI.Time duration(min = 0, start = 1)
      "How long it grows";
  equation
    y = if time < startTime then wMin else
      if time < startTime + duration then
        wMin*(wMax/wMin)^((time - startTime)/duration) else wMax;
  end LogFrequencySweep;

  block KinematicPTP
    "Acceleration of the fastest move by deltaq within limits"
    extends MO(final nout = max({size(deltaq, 1), size(qd_max, 1),
      size(qdd_max, 1)}));
    parameter Real deltaq[:] = {1} "Ways to go";
    parameter Real qd_max[:](each min = Modelica.Constants.small) = {1}
      "Largest speeds";
    parameter Real qdd_max[:](each min = Modelica.Constants.small) = {1}
      "Largest accelerations";
    parameter Modelica.Units.SI.Time startTime = 0 "When the move begins";
  protected
    parameter Real p_deltaq[nout] =
      if size(deltaq, 1) == 1 then fill(deltaq[1], nout) else deltaq;
    parameter Real p_qd_max[nout] =
      if size(qd_max, 1) == 1 then fill(qd_max[1], nout) else qd_max;
    parameter Real p_qdd_max[nout] =
      if size(qdd_max, 1) == 1 then fill(qdd_max[1], nout) else qdd_max;
    parameter Real profile[5] =
      Internal.fastestMove(p_deltaq, p_qd_max, p_qdd_max);
    Real t = time - startTime;
    Real sdd "Acceleration along the way of length 1";
  equation
    sdd = if t < 0 or t >= profile[3] then 0 else
      if t < profile[1] then profile[5] else
      if t < profile[2] then 0 else -profile[5];
    y = p_deltaq*sdd;
  end KinematicPTP;

  block KinematicPTP2
    "Positions, speeds and accelerations of the fastest move within limits"
    parameter Real q_begin[:] = {0} "Positions at the beginning";
    parameter Real q_end[:] = {1} "Positions at the end";
    parameter Real qd_max[:](each min = Modelica.Constants.small) = {1}
      "Largest speeds";
    parameter Real qdd_max[:](each min = Modelica.Constants.small) = {1}
      "Largest accelerations";
    parameter Modelica.Units.SI.Time startTime = 0 "When the move begins";
    final parameter Integer nout = max({size(q_begin, 1), size(q_end, 1),
      size(qd_max, 1), size(qdd_max, 1)}) "Number of axes";
    final parameter Modelica.Units.SI.Time endTime = startTime + profile[3]
      "When the move ends";
    RealOutput q[nout] "Positions";
    RealOutput qd[nout] "Speeds";
    RealOutput qdd[nout] "Accelerations";
    BooleanOutput moving[nout] "Whether each axis moves";
  protected
    parameter Real p_q_begin[nout] =
      if size(q_begin, 1) == 1 then fill(q_begin[1], nout) else q_begin;
    parameter Real p_q_end[nout] =
      if size(q_end, 1) == 1 then fill(q_end[1], nout) else q_end;
    parameter Real p_qd_max[nout] =
      if size(qd_max, 1) == 1 then fill(qd_max[1], nout) else qd_max;
    parameter Real p_qdd_max[nout] =
      if size(qdd_max, 1) == 1 then fill(qdd_max[1], nout) else qdd_max;
    parameter Real p_deltaq[nout] = p_q_end - p_q_begin;
    parameter Real profile[5] =
      Internal.fastestMove(p_deltaq, p_qd_max, p_qdd_max)
      "Ends of acceleration, of even speed and of all; speed, acceleration";
    Real t = time - startTime;
    Real s "Part of the way that is done";
    Real sd "Speed along the way of length 1";
    Real sdd "Acceleration along the way of length 1";
    Boolean isMoving = time >= startTime and time < endTime;
  equation
    if t < 0 then
      s = 0;
      sd = 0;
      sdd = 0;
    elseif t < profile[1] then
      s = profile[5]*t^2/2;
      sd = profile[5]*t;
      sdd = profile[5];
    elseif t < profile[2] then
      s = profile[5]*profile[1]^2/2 + profile[4]*(t - profile[1]);
      sd = profile[4];
      sdd = 0;
    elseif t < profile[3] then
      s = 1 - profile[5]*(profile[3] - t)^2/2;
      sd = profile[5]*(profile[3] - t);
      sdd = -profile[5];
    else
      s = 1;
      sd = 0;
      sdd = 0;
    end if;
    q = p_q_begin + p_deltaq*s;
    qd = p_deltaq*sd;
    qdd = p_deltaq*sdd;
    for i in 1:nout loop
      moving[i] = isMoving and abs(p_deltaq[i]) > Modelica.Constants.eps;
    end for;
  end KinematicPTP2;

  block TimeTable "Straight lines between the points of a table over time"
    extends SignalSource;
    parameter Real table[:, 2] = fill(0.0, 0, 2)
      "Times, growing, and values; two equal times are a jump";
    parameter Modelica.Units.SI.Time timeScale(min = Modelica.Constants.eps) = 1
      "What the table's times are multiplied by";
    parameter Modelica.Units.SI.Time shiftTime = startTime
      "What is added to the table's times";
  protected
    Real t = (time - shiftTime)/timeScale;
    Integer passed "Number of rows whose time has come";
    Integer cycle "None: it is not repeated";
    parameter Boolean grows = Orrery.Internal.Tables.grows(table[:, 1]);
    discrete Real next "When the next row comes";
  equation
    when {initial(), time >= pre(next)} then
      (passed, cycle, next) = Orrery.Internal.Tables.rowsCome(table,
        false, shiftTime, timeScale, time);
    end when;
    assert(size(table, 1) > 0, "the table has no rows: give it some");
    assert(grows,
      "cannot follow a table whose times do not grow: sort its rows");
    y = offset + (if time < startTime then 0 else
      Orrery.Internal.Tables.lineInRow(table, passed, t));
  end TimeTable;

  block CombiTimeTable "Columns of a table over time"
    extends Modelica.Blocks.Interfaces.MO(final nout = max(size(columns, 1), size(offset, 1)));
    parameter Boolean tableOnFile = false "Whether the table is in a file";
    parameter Real table[:, :] = fill(0.0, 0, 2)
      "Times, growing, in column 1, and values";
    parameter String tableName = "NoName" "Name of the table in the file";
    parameter String fileName = "NoName" "File with the table";
    parameter Boolean verboseRead = true "Has no effect";
    final parameter Real points[:, :] =
      Orrery.Internal.Tables.tableOf(table, tableOnFile, fileName,
        tableName) "The table, wherever it is from";
    parameter Integer columns[:] = 2:size(table, 2) "Columns that are put out";
    parameter Modelica.Blocks.Types.Smoothness smoothness =
      Modelica.Blocks.Types.Smoothness.LinearSegments "Interpolation";
    parameter Modelica.Blocks.Types.Extrapolation extrapolation =
      Modelica.Blocks.Types.Extrapolation.LastTwoPoints "Extrapolation";
    parameter Modelica.Units.SI.Time timeScale(min = Modelica.Constants.eps) = 1
      "What the table's times are multiplied by";
    parameter Real offset[:] = {0} "What is added to the outputs";
    parameter Modelica.Units.SI.Time startTime = 0
      "When the table begins; before, y = offset";
    parameter Modelica.Units.SI.Time shiftTime = startTime
      "What is added to the table's times";
    parameter Modelica.Blocks.Types.TimeEvents timeEvents =
      Modelica.Blocks.Types.TimeEvents.Always
      "Whether rows are events; AtDiscontinuities is as Always";
    parameter Boolean verboseExtrapolation = false
      "Whether leaving the table is reported";
    final parameter Modelica.Units.SI.Time t_min =
      shiftTime + timeScale*points[1, 1] "First time of the table";
    final parameter Modelica.Units.SI.Time t_max =
      shiftTime + timeScale*points[end, 1] "Last time of the table";
  protected
    parameter Real p_offset[nout] =
      if size(offset, 1) == 1 then fill(offset[1], nout) else offset;
    parameter Real slopes[size(points, 1), nout] =
      Orrery.Internal.Tables.slopes(points, columns, smoothness);
    parameter Boolean isPeriodic = extrapolation ==
      Modelica.Blocks.Types.Extrapolation.Periodic and
      points[end, 1] > points[1, 1];
    Real t = (time - shiftTime)/timeScale;
    Real at "Where in the table";
    Integer passed "Number of rows whose time has come, of this period";
    Integer cycle "Number of the period";
    discrete Real next "When the next row comes";
  equation
    if timeEvents == Modelica.Blocks.Types.TimeEvents.NoTimeEvents then
      at = t;
      passed = 0;
      cycle = 0;
      next = Modelica.Constants.inf;
    else
      when {initial(), time >= pre(next)} then
        (passed, cycle, next) = Orrery.Internal.Tables.rowsCome(points,
          isPeriodic, shiftTime, timeScale, time);
      end when;
      at = if isPeriodic then t - cycle*(points[end, 1] - points[1, 1]) else
        Orrery.Internal.Tables.inside(points[1, 1], points[end, 1], t,
          extrapolation);
    end if;
    for i in 1:nout loop
      if timeEvents == Modelica.Blocks.Types.TimeEvents.NoTimeEvents then
        y[i] = p_offset[i] + (if time < startTime then 0 else
          Orrery.Internal.Tables.value(points, slopes, columns[i], i, t,
            smoothness, extrapolation));
      else
        y[i] = p_offset[i] + (if time < startTime then 0 else
          Orrery.Internal.Tables.valueInRow(points, slopes, columns[i],
            i, passed, at, smoothness));
      end if;
    end for;
  end CombiTimeTable;

  block BooleanConstant "y = k"
    extends BooleanSO;
    parameter Boolean k = true "Output";
  equation
    y = k;
  end BooleanConstant;

  block BooleanStep "From startValue to its opposite at startTime"
    extends BooleanSO;
    parameter Modelica.Units.SI.Time startTime = 0 "When it changes";
    parameter Boolean startValue = false "Output before";
  equation
    y = if time >= startTime then not startValue else startValue;
  end BooleanStep;

  block BooleanPulse "True for width percent of each period"
    extends BooleanSO;
    parameter Real width(min = Modelica.Constants.small, max = 100) = 50
      "How much of a period it is true, in percent";
    parameter Modelica.Units.SI.Time period(min = Modelica.Constants.small,
      start = 1) "Time of one period";
    parameter Modelica.Units.SI.Time startTime = 0 "Time of the first pulse";
  protected
    Integer count "Number of the period, from 0";
  equation
    when initial() then
      count = integer((time - startTime)/period);
    elsewhen sample(startTime, period) then
      count = integer((time - startTime)/period + 0.5);
    end when;
    y = count >= 0 and time < startTime + period*(count + width/100);
  end BooleanPulse;

  block SampleTrigger "True at the instants startTime + i*period"
    extends BooleanSO;
    parameter Modelica.Units.SI.Time period(min = Modelica.Constants.small,
      start = 0.01) "Time between two instants";
    parameter Modelica.Units.SI.Time startTime = 0 "The first instant";
  equation
    y = sample(startTime, period);
  end SampleTrigger;

  block RadioButtonSource "On when it is pressed, off when another one is on"
    parameter Modelica.Units.SI.Time buttonTimeTable[:] = {0, 1}
      "Times, growing, when the button is pressed";
    input Boolean reset[:] = {false} "Whether each of the others is on";
    BooleanOutput on "Whether this button is on";
  protected
    Integer count "How often it has been pressed";
    Boolean isReset = Modelica.Math.BooleanVectors.anyTrue(reset);
  initial equation
    pre(on) = false;
    pre(count) = 0;
  equation
    count = sum(if time >= buttonTimeTable[i] then 1 else 0
      for i in 1:size(buttonTimeTable, 1));
    on = if change(count) then true else
      if edge(isReset) then false else pre(on);
  end RadioButtonSource;

  block BooleanTable "Changes at the times of a table"
    extends BooleanSO;
    parameter Modelica.Units.SI.Time table[:] = {0, 1}
      "Times, growing, when y changes";
    parameter Boolean startValue = false "Output before the first time";
    parameter Modelica.Blocks.Types.Extrapolation extrapolation =
      Modelica.Blocks.Types.Extrapolation.HoldLastPoint
      "Behaviour behind the last time: held or repeated";
    parameter Modelica.Units.SI.Time startTime = -Modelica.Constants.inf
      "Before, y = startValue";
    parameter Modelica.Units.SI.Time shiftTime = 0
      "What is added to the table's times";
  protected
    parameter Integer n = size(table, 1);
    parameter Boolean isPeriodic = n > 1 and extrapolation ==
      Modelica.Blocks.Types.Extrapolation.Periodic;
    parameter Real rows[n, 1] = matrix(table);
    Integer changes "How often it has changed, in this period";
    Integer cycle "Number of the period";
    discrete Real next "When it changes next";
  equation
    when {initial(), time >= pre(next)} then
      (changes, cycle, next) = Orrery.Internal.Tables.rowsCome(rows,
        isPeriodic, shiftTime, 1, time);
    end when;
    y = if time >= startTime and mod(changes, 2) > 0 then not startValue else
      startValue;
  end BooleanTable;

  block IntegerConstant "y = k"
    extends IntegerSO;
    parameter Integer k(start = 1) "Output";
  equation
    y = k;
  end IntegerConstant;

  block IntegerStep "From offset to offset + height at startTime"
    extends IntegerSO;
    parameter Integer height = 1 "Height of the step";
    parameter Integer offset = 0 "Output before";
    parameter Modelica.Units.SI.Time startTime = 0 "When it changes";
  equation
    y = offset + (if time < startTime then 0 else height);
  end IntegerStep;

  block IntegerTable "Integers of a table over time"
    extends IntegerSO;
    parameter Real table[:, 2] = fill(0, 0, 2)
      "Times, growing, and values that hold from then on";
    parameter Modelica.Blocks.Types.Extrapolation extrapolation =
      Modelica.Blocks.Types.Extrapolation.HoldLastPoint
      "Behaviour behind the last time: held or repeated";
    parameter Modelica.Units.SI.Time startTime = -Modelica.Constants.inf
      "Before, y = 0";
    parameter Modelica.Units.SI.Time shiftTime = 0
      "What is added to the table's times";
  protected
    parameter Integer n = size(table, 1);
    parameter Boolean isPeriodic = n > 1 and extrapolation ==
      Modelica.Blocks.Types.Extrapolation.Periodic;
    Integer passed "Number of rows whose time has come, of this period";
    Integer cycle "Number of the period";
    discrete Real next "When the next row comes";
  equation
    when {initial(), time >= pre(next)} then
      (passed, cycle, next) = Orrery.Internal.Tables.rowsCome(table,
        isPeriodic, shiftTime, 1, time);
    end when;
    assert(n > 0, "the table has no rows: give it some");
    y = if time < startTime then 0 else
      integer(table[max(passed, 1), 2] + 0.5);
  end IntegerTable;

  package Internal "Not for users"
    function fastestMove
      "Bang, coast, bang: the fastest move that keeps all axes in step"
      input Real deltaq[:] "Ways to go";
      input Real qd_max[size(deltaq, 1)] "Largest speeds";
      input Real qdd_max[size(deltaq, 1)] "Largest accelerations";
      output Real profile[5]
        "Ends of acceleration, of even speed and of all; speed, acceleration";
    protected
      Real sd = Modelica.Constants.inf "Largest speed along a way of 1";
      Real sdd = Modelica.Constants.inf;
    algorithm
      profile := zeros(5);
      for i in 1:size(deltaq, 1) loop
        if abs(deltaq[i]) > Modelica.Constants.eps then
          sd := min(sd, qd_max[i]/abs(deltaq[i]));
          sdd := min(sdd, qdd_max[i]/abs(deltaq[i]));
        end if;
      end for;
      if sd < Modelica.Constants.inf then
        sd := min(sd, sqrt(sdd));
        profile[1] := sd/sdd;
        profile[2] := 1/sd;
        profile[3] := profile[1] + profile[2];
        profile[4] := sd;
        profile[5] := sdd;
      end if;
    end fastestMove;
  end Internal;
end Sources;
