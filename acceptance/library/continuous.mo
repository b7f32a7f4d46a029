package Continuous "Modelica.Blocks.Continuous and Orrery.Blocks.Continuous"
  model StepResponses "u = 1 from the start"
    import Modelica.Blocks.Continuous.*;
    import Modelica.Blocks.Types.Init;
    Modelica.Blocks.Sources.Constant source(k = 1);
    Integrator integrator(k = 2, y_start = 1);
    LimIntegrator limited(outMax = 0.5);
    LimIntegrator strict(outMax = 0.5, strict = true);
    Derivative derivative(initType = Init.InitialState, k = 2, T = 0.5);
    FirstOrder firstOrder(k = 2, T = 0.5, initType = Init.InitialState);
    SecondOrder secondOrder(k = 3, w = 2, D = 0.5, initType = Init.InitialState);
    PI pi(k = 2, T = 4, initType = Init.InitialState);
    PID pid(k = 2, Ti = 0.5, Td = 0.4, Nd = 2);
    TransferFunction fraction(b = {1, 2}, a = {1, 4, 3},
      initType = Init.InitialState);
    TransferFunction through(b = {2, 1}, a = {1, 3},
      initType = Init.InitialState);
    TransferFunction gain(b = {6}, a = {4});
    StateSpace space(A = [0, 1; -3, -4], B = [0; 1], C = [2, 1; 1, 0],
      D = [0; 1], initType = Init.InitialState);
    LowpassButterworth butterworth(n = 1, f = 0.25,
      initType = Init.InitialState);
    LowpassButterworth butterworth2(n = 2, f = 0.25,
      initType = Init.InitialState);
    CriticalDamping critical(n = 2, f = 0.25, normalized = false,
      initType = Init.InitialState);
    Orrery.Blocks.Continuous.ZerosPoles zerosPoles(zeros = [-2, 0],
      poles = [-1, 0; -3, 0], initType = Init.InitialState);
    Orrery.Blocks.Continuous.ZerosPoles oscillator(gain = 5,
      poles = [-1, 2; -1, -2], initType = Init.InitialState);
    Orrery.Blocks.Continuous.LeadLag leadLag(k = 3, T1 = 2, T2 = 0.5);
  equation
    connect(source.y, integrator.u);
    connect(source.y, limited.u);
    connect(source.y, strict.u);
    connect(source.y, derivative.u);
    connect(source.y, firstOrder.u);
    connect(source.y, secondOrder.u);
    connect(source.y, pi.u);
    connect(source.y, pid.u);
    connect(source.y, fraction.u);
    connect(source.y, through.u);
    connect(source.y, gain.u);
    connect(source.y, space.u[1]);
    connect(source.y, butterworth.u);
    connect(source.y, butterworth2.u);
    connect(source.y, critical.u);
    connect(source.y, zerosPoles.u);
    connect(source.y, oscillator.u);
    connect(source.y, leadLag.u);
  end StepResponses;

  model Waves "u = sin(time), steady: gain and phase of each block"
    import Modelica.Blocks.Continuous.*;
    Modelica.Blocks.Sources.Sine source(f = 0.5/Modelica.Constants.pi);
    LowpassButterworth third(n = 3, f = 0.5/Modelica.Constants.pi);
    LowpassButterworth fourth(n = 4, f = 0.5/Modelica.Constants.pi);
    CriticalDamping critical(n = 3, f = 0.5/Modelica.Constants.pi);
    Der derivative;
    Modelica.Blocks.Nonlinear.PadeDelay pade(delayTime = 0.5, n = 4);
    Modelica.Blocks.Nonlinear.PadeDelay uneven(delayTime = 0.5, n = 3, m = 2);
    Real in_phase[3](each start = 0, each fixed = true)
      "Integrals of the outputs times 2*sin(time) over a period";
    Real across[3](each start = 0, each fixed = true)
      "Integrals of the outputs times 2*cos(time) over a period";
    Real x(start = 0, fixed = true);
    constant Real begin = 20*Modelica.Constants.pi;
  equation
    connect(source.y, third.u);
    connect(source.y, fourth.u);
    connect(source.y, critical.u);
    connect(source.y, pade.u);
    connect(source.y, uneven.u);
    der(x) = 3*time^2;
    derivative.u = x;
    der(in_phase) = if time < begin then zeros(3) else
      {third.y, fourth.y, critical.y}*sin(time)/Modelica.Constants.pi;
    der(across) = if time < begin then zeros(3) else
      {third.y, fourth.y, critical.y}*cos(time)/Modelica.Constants.pi;
    annotation(experiment(StopTime = 69.11503837897544, Tolerance = 1e-10));
  end Waves;

  model Beginnings "Each way to begin"
    import Modelica.Blocks.Continuous.*;
    import Modelica.Blocks.Types.Init;
    FirstOrder steady(k = 3, initType = Init.SteadyState, T = 1, u = 2);
    FirstOrder output1(initType = Init.InitialOutput, y_start = 5, T = 1,
      u = 2);
    SecondOrder oscillator(k = 3, w = 2, D = 0.5,
      initType = Init.SteadyState, u = 2);
    Derivative derivative(initType = Init.InitialOutput, y_start = 4, T = 0.5,
      u = 3);
    Derivative off(k = 0, initType = Init.InitialOutput, u = 3);
    PI pi(k = 2, T = 1, initType = Init.InitialOutput, y_start = 7, u = 3);
    PID pid(k = 2, Ti = 1, Td = 1, initType = Init.InitialOutput, y_start = 7,
      u = 3);
    TransferFunction fraction(b = {2, 5}, a = {1, 4, 8},
      initType = Init.SteadyState, u = 2);
    TransferFunction fraction2(b = {5}, a = {1, 4, 8},
      initType = Init.InitialOutput, y_start = 3, u = 2);
    StateSpace space(A = [-2], B = [1], C = [3], initType = Init.InitialOutput,
      y_start = {12}, u = {1});
    LowpassButterworth butterworth(n = 5, initType = Init.SteadyState, f = 1,
      u = 2);
    LowpassButterworth butterworth2(n = 4, initType = Init.InitialOutput,
      y_start = 3, f = 1, u = 2);
    LowpassButterworth butterworth3(n = 3, initType = Init.InitialOutput,
      y_start = 3, f = 1, u = 2);
    CriticalDamping critical(n = 4, initType = Init.InitialOutput,
      y_start = 3, f = 1, u = 2);
  end Beginnings;

  model Controllers "LimPID in a loop with an integrator, and open"
    import Modelica.Blocks.Types.*;
    import Modelica.Blocks.Continuous.LimPID;
    LimPID p(controllerType = SimpleController.P, k = 2, yMax = 10);
    LimPID pi(controllerType = SimpleController.PI, k = 2, Ti = 0.5, yMax = 100);
    LimPID pd(controllerType = SimpleController.PD, k = 2, Td = 0.4, Nd = 2,
      wd = 1, yMax = 100);
    LimPID pid(k = 2, Ti = 0.5, Td = 0.4, Nd = 2, wp = 0.5, wd = 1, yMax = 100,
      withFeedForward = true, kFF = 3);
    LimPID windup(controllerType = SimpleController.PI, k = 2, Ti = 0.5,
      yMax = 1);
    LimPID limited(controllerType = SimpleController.P, k = 2, yMax = 3,
      yMin = -1);
    Orrery.Blocks.Continuous.AntiWindupPID own(Kp = 2, Ki = 4, Ks = 10,
      upper = 1);
    Orrery.Blocks.Continuous.AntiWindupPID free(Kp = 2, Ki = 4, Kd = 1,
      f_max = 5, upper = 100);
  equation
    p.u_s = 3;
    p.u_m = 1;
    pi.u_s = 3;
    pi.u_m = 1;
    pd.u_s = 3;
    pd.u_m = 1;
    pid.u_s = 3;
    pid.u_m = 1;
    pid.u_ff = 2;
    windup.u_s = 3;
    windup.u_m = 1;
    limited.u_s = -3;
    limited.u_m = 1;
    own.u = 2;
    free.u = 2;
  end Controllers;
  model Filters "Characteristics, driven until they swing evenly"
    import Modelica.Blocks.Continuous.Filter;
    import Modelica.Blocks.Types.*;
    Real u = sin(2*Modelica.Constants.pi*1.3*time);
    Filter dampedLowPass4(analogFilter = AnalogFilter.CriticalDamping,
      filterType = FilterType.LowPass, order = 4, f_cut = 2,
      u = u, init = Init.InitialState);
    Filter dampedLowPass5(analogFilter = AnalogFilter.CriticalDamping,
      filterType = FilterType.LowPass, order = 5, f_cut = 2,
      u = u, init = Init.InitialState);
    Filter dampedHighPass3(analogFilter = AnalogFilter.CriticalDamping,
      filterType = FilterType.HighPass, order = 3, f_cut = 2,
      u = u, init = Init.InitialState);
    Filter dampedHighPass4(analogFilter = AnalogFilter.CriticalDamping,
      filterType = FilterType.HighPass, order = 4, f_cut = 2,
      u = u, init = Init.InitialState);
    Filter dampedBandPass3(analogFilter = AnalogFilter.CriticalDamping,
      filterType = FilterType.BandPass, order = 3, f_cut = 2, f_min = 1,
      u = u, init = Init.InitialState);
    Filter dampedBandPass2(analogFilter = AnalogFilter.CriticalDamping,
      filterType = FilterType.BandPass, order = 2, f_cut = 2, f_min = 1,
      u = u, init = Init.InitialState);
    Filter dampedBandStop3(analogFilter = AnalogFilter.CriticalDamping,
      filterType = FilterType.BandStop, order = 3, f_cut = 2, f_min = 1,
      u = u, init = Init.InitialState);
    Filter dampedBandStop2(analogFilter = AnalogFilter.CriticalDamping,
      filterType = FilterType.BandStop, order = 2, f_cut = 2, f_min = 1,
      u = u, init = Init.InitialState);
    Filter besselLowPass4(analogFilter = AnalogFilter.Bessel,
      filterType = FilterType.LowPass, order = 4, f_cut = 2,
      u = u, init = Init.InitialState);
    Filter besselLowPass5(analogFilter = AnalogFilter.Bessel,
      filterType = FilterType.LowPass, order = 5, f_cut = 2,
      u = u, init = Init.InitialState);
    Filter besselHighPass3(analogFilter = AnalogFilter.Bessel,
      filterType = FilterType.HighPass, order = 3, f_cut = 2,
      u = u, init = Init.InitialState);
    Filter besselHighPass4(analogFilter = AnalogFilter.Bessel,
      filterType = FilterType.HighPass, order = 4, f_cut = 2,
      u = u, init = Init.InitialState);
    Filter besselBandPass3(analogFilter = AnalogFilter.Bessel,
      filterType = FilterType.BandPass, order = 3, f_cut = 2, f_min = 1,
      u = u, init = Init.InitialState);
    Filter besselBandPass2(analogFilter = AnalogFilter.Bessel,
      filterType = FilterType.BandPass, order = 2, f_cut = 2, f_min = 1,
      u = u, init = Init.InitialState);
    Filter besselBandStop3(analogFilter = AnalogFilter.Bessel,
      filterType = FilterType.BandStop, order = 3, f_cut = 2, f_min = 1,
      u = u, init = Init.InitialState);
    Filter besselBandStop2(analogFilter = AnalogFilter.Bessel,
      filterType = FilterType.BandStop, order = 2, f_cut = 2, f_min = 1,
      u = u, init = Init.InitialState);
    Filter butterworthLowPass4(analogFilter = AnalogFilter.Butterworth,
      filterType = FilterType.LowPass, order = 4, f_cut = 2,
      u = u, init = Init.InitialState);
    Filter butterworthLowPass5(analogFilter = AnalogFilter.Butterworth,
      filterType = FilterType.LowPass, order = 5, f_cut = 2,
      u = u, init = Init.InitialState);
    Filter butterworthHighPass3(analogFilter = AnalogFilter.Butterworth,
      filterType = FilterType.HighPass, order = 3, f_cut = 2,
      u = u, init = Init.InitialState);
    Filter butterworthHighPass4(analogFilter = AnalogFilter.Butterworth,
      filterType = FilterType.HighPass, order = 4, f_cut = 2,
      u = u, init = Init.InitialState);
    Filter butterworthBandPass3(analogFilter = AnalogFilter.Butterworth,
      filterType = FilterType.BandPass, order = 3, f_cut = 2, f_min = 1,
      u = u, init = Init.InitialState);
    Filter butterworthBandPass2(analogFilter = AnalogFilter.Butterworth,
      filterType = FilterType.BandPass, order = 2, f_cut = 2, f_min = 1,
      u = u, init = Init.InitialState);
    Filter butterworthBandStop3(analogFilter = AnalogFilter.Butterworth,
      filterType = FilterType.BandStop, order = 3, f_cut = 2, f_min = 1,
      u = u, init = Init.InitialState);
    Filter butterworthBandStop2(analogFilter = AnalogFilter.Butterworth,
      filterType = FilterType.BandStop, order = 2, f_cut = 2, f_min = 1,
      u = u, init = Init.InitialState);
    Filter chebyshevLowPass4(analogFilter = AnalogFilter.ChebyshevI,
      filterType = FilterType.LowPass, order = 4, f_cut = 2,
      u = u, init = Init.InitialState);
    Filter chebyshevLowPass5(analogFilter = AnalogFilter.ChebyshevI,
      filterType = FilterType.LowPass, order = 5, f_cut = 2,
      u = u, init = Init.InitialState);
    Filter chebyshevHighPass3(analogFilter = AnalogFilter.ChebyshevI,
      filterType = FilterType.HighPass, order = 3, f_cut = 2,
      u = u, init = Init.InitialState);
    Filter chebyshevHighPass4(analogFilter = AnalogFilter.ChebyshevI,
      filterType = FilterType.HighPass, order = 4, f_cut = 2,
      u = u, init = Init.InitialState);
    Filter chebyshevBandPass3(analogFilter = AnalogFilter.ChebyshevI,
      filterType = FilterType.BandPass, order = 3, f_cut = 2, f_min = 1,
      u = u, init = Init.InitialState);
    Filter chebyshevBandPass2(analogFilter = AnalogFilter.ChebyshevI,
      filterType = FilterType.BandPass, order = 2, f_cut = 2, f_min = 1,
      u = u, init = Init.InitialState);
    Filter chebyshevBandStop3(analogFilter = AnalogFilter.ChebyshevI,
      filterType = FilterType.BandStop, order = 3, f_cut = 2, f_min = 1,
      u = u, init = Init.InitialState);
    Filter chebyshevBandStop2(analogFilter = AnalogFilter.ChebyshevI,
      filterType = FilterType.BandStop, order = 2, f_cut = 2, f_min = 1,
      u = u, init = Init.InitialState);
    Filter plainBessel(analogFilter = AnalogFilter.Bessel, order = 3,
      normalized = false, f_cut = 2, gain = 3, u = u,
      init = Init.InitialState);
    Filter plainChebyshevI(analogFilter = AnalogFilter.ChebyshevI, order = 4,
      normalized = false, f_cut = 2, gain = 3, u = u,
      init = Init.InitialState);
    Filter plainCriticalDamping(analogFilter = AnalogFilter.CriticalDamping, order = 2,
      normalized = false, f_cut = 2, gain = 3, u = u,
      init = Init.InitialState);
    Filter tenth(analogFilter = AnalogFilter.Bessel, order = 10,
      f_cut = 1.3, u = u, init = Init.InitialState);
    Filter rests(init = Init.SteadyState, order = 3, f_cut = 2, u = 0.5);
  end Filters;
end Continuous;
