model Sources "Every source of Modelica.Blocks.Sources and Orrery's own"
  import Modelica.Blocks.Sources.*;
  RealExpression realExpression(y = time^2);
  IntegerExpression integerExpression(y = 3);
  BooleanExpression booleanExpression(y = time > 1);
  ContinuousClock clock(offset = 1, startTime = 0.25);
  Constant constant1(k = 4.5);
  Step step(height = 2, offset = 1, startTime = 0.5);
  Ramp ramp(height = 3, duration = 2, offset = 1, startTime = 0.5);
  Sine sine(amplitude = 2, f = 0.25, offset = 0.5, startTime = 0.2,
    phase = 0.3);
  Sine continuousSine(f = 0.25, startTime = 5, phase = 0.3, continuous = true);
  Cosine cosine(amplitude = 2, f = 0.25, startTime = 0.2);
  SineVariableFrequencyAndAmplitude sweep(useConstantAmplitude = true,
    constantAmplitude = 2, phi(fixed = true), offset = 1);
  CosineVariableFrequencyAndAmplitude swell(useConstantFrequency = true,
    constantFrequency = 0.25, phi(fixed = true));
  Sinc sinc(f = 0.5, amplitude = 2);
  ExpSine expSine(f = 0.5, damping = 2, amplitude = 3, phase = 0.1);
  Exponentials exponentials(riseTime = 0.5, riseTimeConst = 0.2, outMax = 2,
    fallTimeConst = 0.4);
  Pulse pulse(amplitude = 2, width = 25, period = 0.3, offset = 1);
  Pulse pulseOnce(width = 50, period = 1, nperiod = 1);
  SawTooth sawTooth(amplitude = 2, period = 0.3);
  Trapezoid trapezoid(amplitude = 2, rising = 0.1, width = 0.1, falling = 0.2,
    period = 0.5);
  LogFrequencySweep logSweep(wMin = 1, wMax = 100, duration = 2);
  KinematicPTP ptp(deltaq = {2, 0.5}, qd_max = {1, 1}, qdd_max = {2, 2});
  KinematicPTP2 ptp2(q_begin = {1, 0}, q_end = {3, 0.5}, qd_max = {1},
    qdd_max = {2});
  TimeTable timeTable(table = [0, 0; 1, 2; 1, 3; 2, 5], offset = 1);
  CombiTimeTable combiTimeTable(table = [0, 0, 1; 1, 2, 3; 2, 5, 0],
    offset = {0, 10});
  CombiTimeTable held(table = [0, 1; 0.5, 4],
    extrapolation = Modelica.Blocks.Types.Extrapolation.HoldLastPoint);
  CombiTimeTable repeated(table = [0, 1; 0.5, 4],
    extrapolation = Modelica.Blocks.Types.Extrapolation.Periodic);
  BooleanConstant booleanConstant;
  BooleanStep booleanStep(startTime = 0.5);
  BooleanPulse booleanPulse(period = 0.3, width = 25);
  BooleanTable booleanTable(table = {0.2, 0.5, 0.9});
  IntegerConstant integerConstant(k = 3);
  IntegerStep integerStep(startTime = 0.5, height = 2, offset = 1);
  IntegerTable integerTable(table = [0, 1; 0.5, 4; 2, -7]);
  Orrery.Blocks.Sources.Square square(f = 2, amplitude = 3, duty = 0.25);
  Orrery.Blocks.Sources.Triangle triangle(f = 2, amplitude = 3);
  Orrery.Blocks.Sources.Chirp chirp(f0 = 1, BW = 2, T = 4);
  Orrery.Blocks.Sources.GaussianPulse gaussianPulse(f_max = 2, tau = 1);
  Orrery.Blocks.Sources.Sequence sequence(values = {5, 7, 9}, interval = 0.4);
equation
  sweep.f = time;
  swell.amplitude = 1 + time;
end Sources;
