within Modelica.Blocks;
package Continuous "Blocks with continuous states"
  import Modelica.Blocks.Interfaces.*;
  import Modelica.Blocks.Types.Init;

  block Integrator "der(y) = k*u, perhaps with a reset"
    extends SISO(y(start = y_start));
    parameter Real k(unit = "1") = 1 "Factor";
    parameter Boolean use_reset = false "Whether there is an input 'reset'";
    parameter Boolean use_set = false "Whether there is an input 'set'";
    parameter Init initType = Init.InitialState "How it begins";
    parameter Real y_start = 0 "Output at the start, and after a reset";
    BooleanInput reset if use_reset "When it becomes true, y is set anew";
    RealInput set if use_reset and use_set "What y is set to";
  protected
    BooleanOutput local_reset if use_reset;
    RealOutput local_set if use_reset;
  initial equation
    if initType == Init.SteadyState then
      der(y) = 0;
    elseif initType == Init.InitialState or initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    if use_reset then
      connect(reset, local_reset);
      if use_set then
        connect(set, local_set);
      else
        local_set = y_start;
      end if;
      when local_reset then
        reinit(y, local_set);
      end when;
    end if;
    der(y) = k*u;
  end Integrator;

  block LimIntegrator "der(y) = k*u, within limits of y"
    extends SISO(y(start = y_start));
    parameter Real k(unit = "1") = 1 "Factor";
    parameter Real outMax(start = 1) "Upper limit of y";
    parameter Real outMin = -outMax "Lower limit of y";
    parameter Boolean use_reset = false "Whether there is an input 'reset'";
    parameter Boolean use_set = false "Whether there is an input 'set'";
    parameter Init initType = Init.InitialState "How it begins";
    parameter Boolean limitsAtInit = true
      "Whether the limits hold while the beginning is sought";
    parameter Real y_start = 0 "Output at the start, and after a reset";
    parameter Boolean strict = false
      "Whether the limits are held without events";
    BooleanInput reset if use_reset "When it becomes true, y is set anew";
    RealInput set if use_reset and use_set "What y is set to";
  protected
    BooleanOutput local_reset if use_reset;
    RealOutput local_set if use_reset;
  initial equation
    if initType == Init.SteadyState then
      der(y) = 0;
    elseif initType == Init.InitialState or initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    if use_reset then
      connect(reset, local_reset);
      if use_set then
        connect(set, local_set);
      else
        local_set = y_start;
      end if;
      when local_reset then
        reinit(y, local_set);
      end when;
    end if;
    if strict then
      der(y) = if noEvent(y < outMin and k*u < 0 or y > outMax and k*u > 0) then
        0 else k*u;
    else
      der(y) = if y < outMin and k*u < 0 or y > outMax and k*u > 0 then 0 else
        k*u;
    end if;
  end LimIntegrator;

  block Derivative "Derivative with a lag: y = k*s/(T*s + 1)*u"
    extends SISO;
    parameter Real k(unit = "1") = 1 "Factor";
    parameter Modelica.Units.SI.Time T(min = Modelica.Constants.small) = 0.01
      "Time constant; the smaller, the nearer to the derivative";
    parameter Init initType = Init.NoInit "How it begins";
    parameter Real x_start = 0 "State at the start";
    parameter Real y_start = 0 "Output at the start";
    Real x(start = x_start) "State: the input, with the lag";
  protected
    parameter Boolean zeroGain = abs(k) < Modelica.Constants.eps;
  initial equation
    if initType == Init.SteadyState then
      der(x) = 0;
    elseif initType == Init.InitialState then
      x = x_start;
    elseif initType == Init.InitialOutput then
      if zeroGain then
        x = u;
      else
        y = y_start;
      end if;
    end if;
  equation
    der(x) = if zeroGain then 0 else (u - x)/T;
    y = if zeroGain then 0 else k/T*(u - x);
  end Derivative;

  block FirstOrder "First order lag: T*der(y) + y = k*u"
    extends SISO(y(start = y_start));
    parameter Real k(unit = "1") = 1 "Factor";
    parameter Modelica.Units.SI.Time T(start = 1) "Time constant";
    parameter Init initType = Init.NoInit "How it begins";
    parameter Real y_start = 0 "Output at the start";
  initial equation
    if initType == Init.SteadyState then
      der(y) = 0;
    elseif initType == Init.InitialState or initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    der(y) = (k*u - y)/T;
  end FirstOrder;

  block SecondOrder "Oscillator: y = k/((s/w)^2 + 2*D*(s/w) + 1)*u"
    extends SISO(y(start = y_start));
    parameter Real k(unit = "1") = 1 "Factor";
    parameter Real w(start = 1) "Angular frequency without damping";
    parameter Real D(start = 1) "Damping; 1 is critical";
    parameter Init initType = Init.NoInit "How it begins";
    parameter Real y_start = 0 "Output at the start";
    parameter Real yd_start = 0 "Its derivative at the start";
    RealOutput yd(start = yd_start) "Derivative of y";
  initial equation
    if initType == Init.SteadyState then
      der(y) = 0;
      der(yd) = 0;
    elseif initType == Init.InitialState or initType == Init.InitialOutput then
      y = y_start;
      yd = yd_start;
    end if;
  equation
    der(y) = yd;
    der(yd) = w*(w*(k*u - y) - 2*D*yd);
  end SecondOrder;

  block PI "Proportional and integral: y = k*(1 + 1/(T*s))*u"
    extends SISO;
    parameter Real k(unit = "1") = 1 "Factor";
    parameter Modelica.Units.SI.Time T(start = 1,
      min = Modelica.Constants.small) "Time constant of the integral";
    parameter Init initType = Init.NoInit "How it begins";
    parameter Real x_start = 0 "State at the start";
    parameter Real y_start = 0 "Output at the start";
    Real x(start = x_start) "State: der(x) = u/T";
  initial equation
    if initType == Init.SteadyState then
      der(x) = 0;
    elseif initType == Init.InitialState then
      x = x_start;
    elseif initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    der(x) = u/T;
    y = k*(x + u);
  end PI;

  block PID "Controller: y = k*(1 + 1/(Ti*s) + Td*s/(Td/Nd*s + 1))*u"
    extends SISO;
    parameter Real k(unit = "1") = 1 "Factor";
    parameter Modelica.Units.SI.Time Ti(min = Modelica.Constants.small,
      start = 0.5) "Time constant of the integral";
    parameter Modelica.Units.SI.Time Td(min = 0, start = 0.1)
      "Time constant of the derivative";
    parameter Real Nd(min = Modelica.Constants.small) = 10
      "The higher, the nearer to the derivative";
    parameter Init initType = Init.InitialState "How it begins";
    parameter Real xi_start = 0 "State of the integral at the start";
    parameter Real xd_start = 0 "State of the derivative at the start";
    parameter Real y_start(unit = "1") = 0 "Output at the start";
    Modelica.Blocks.Math.Gain P(k = 1) "Proportional part";
    Integrator I(k = unitTime/Ti, y_start = xi_start,
      initType = if initType == Init.SteadyState then Init.SteadyState
        else if initType == Init.InitialState then Init.InitialState
        else Init.NoInit) "Integral part";
    Derivative D(k = Td/unitTime, T = max(Td/Nd, 100*Modelica.Constants.eps),
      x_start = xd_start,
      initType = if initType == Init.SteadyState or
        initType == Init.InitialOutput then Init.SteadyState
        else if initType == Init.InitialState then Init.InitialState
        else Init.NoInit) "Derivative part";
    Modelica.Blocks.Math.Gain Gain(k = k) "All of it";
    Modelica.Blocks.Math.Add3 Add "Sum of the parts";
  protected
    // No constant: as the number 1 it would take its unit with it.
    final parameter Modelica.Units.SI.Time unitTime = 1 "Makes times numbers";
  initial equation
    if initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    connect(u, P.u);
    connect(u, I.u);
    connect(u, D.u);
    connect(P.y, Add.u1);
    connect(I.y, Add.u2);
    connect(D.y, Add.u3);
    connect(Add.y, Gain.u);
    connect(Gain.y, y);
  end PID;

  block LimPID "P, PI, PD or PID controller with limits and anti-windup"
    import Modelica.Blocks.Types.SimpleController;
    extends SVcontrol;
    parameter SimpleController controllerType = SimpleController.PID
      "Which parts it has";
    parameter Real k(min = 0, unit = "1") = 1 "Factor of all parts";
    parameter Modelica.Units.SI.Time Ti(min = Modelica.Constants.small) = 0.5
      "Time constant of the integral";
    parameter Modelica.Units.SI.Time Td(min = 0) = 0.1
      "Time constant of the derivative";
    parameter Real yMax(start = 1) "Upper limit of the output";
    parameter Real yMin = -yMax "Lower limit of the output";
    parameter Real wp(min = 0) = 1 "Weight of the set point in P";
    parameter Real wd(min = 0) = 0 "Weight of the set point in D";
    parameter Real Ni(min = 100*Modelica.Constants.eps) = 0.9
      "Anti-windup: Ni*Ti is its time constant";
    parameter Real Nd(min = 100*Modelica.Constants.eps) = 10
      "The higher, the nearer D is to the derivative";
    parameter Boolean withFeedForward = false
      "Whether there is an input 'u_ff'";
    parameter Real kFF = 1 "Factor of u_ff";
    parameter Init initType = Init.InitialState "How it begins";
    parameter Real xi_start = 0 "State of the integral at the start";
    parameter Real xd_start = 0 "State of the derivative at the start";
    parameter Real y_start = 0 "Output at the start";
    parameter Modelica.Blocks.Types.LimiterHomotopy homotopyType =
      Modelica.Blocks.Types.LimiterHomotopy.Linear
      "Simplified model while the beginning is sought";
    parameter Boolean strict = false
      "Whether the limits are held without events";
    RealInput u_ff if withFeedForward "What is added to the output";
    output Real controlError = u_s - u_m "Set point less measurement";
    Modelica.Blocks.Math.Add addP(k1 = wp, k2 = -1);
    Modelica.Blocks.Math.Add addD(k1 = wd, k2 = -1) if with_D;
    Modelica.Blocks.Math.Gain P(k = 1);
    Integrator I(k = unitTime/Ti, y_start = xi_start,
      initType = if initType == Init.SteadyState then Init.SteadyState
        else if initType == Init.InitialState then Init.InitialState
        else Init.NoInit) if with_I;
    Derivative D(k = Td/unitTime, T = max(Td/Nd, 1e-14), x_start = xd_start,
      initType = if initType == Init.SteadyState or
        initType == Init.InitialOutput then Init.SteadyState
        else if initType == Init.InitialState then Init.InitialState
        else Init.NoInit) if with_D;
    Modelica.Blocks.Math.Gain gainPID(k = k);
    Modelica.Blocks.Math.Add3 addPID;
    Modelica.Blocks.Math.Add3 addI(k2 = -1) if with_I;
    Modelica.Blocks.Math.Add addSat(k1 = +1, k2 = -1) if with_I;
    Modelica.Blocks.Math.Gain gainTrack(k = 1/(k*Ni)) if with_I;
    Modelica.Blocks.Nonlinear.Limiter limiter(uMax = yMax, uMin = yMin,
      strict = strict, homotopyType = homotopyType);
    Modelica.Blocks.Math.Add addFF(k1 = 1, k2 = kFF);
  protected
    // No constant: as the number 1 it would take its unit with it.
    final parameter Modelica.Units.SI.Time unitTime = 1 "Makes times numbers";
    parameter Boolean with_I = controllerType == SimpleController.PI or
      controllerType == SimpleController.PID;
    parameter Boolean with_D = controllerType == SimpleController.PD or
      controllerType == SimpleController.PID;
    Modelica.Blocks.Sources.Constant Dzero(k = 0) if not with_D;
    Modelica.Blocks.Sources.Constant Izero(k = 0) if not with_I;
    Modelica.Blocks.Sources.Constant FFzero(k = 0) if not withFeedForward;
  initial equation
    if initType == Init.InitialOutput then
      gainPID.y = y_start;
    end if;
  equation
    connect(u_s, addP.u1);
    connect(u_m, addP.u2);
    connect(addP.y, P.u);
    connect(P.y, addPID.u1);
    connect(u_s, addD.u1);
    connect(u_m, addD.u2);
    connect(addD.y, D.u);
    connect(D.y, addPID.u2);
    connect(Dzero.y, addPID.u2);
    connect(u_s, addI.u1);
    connect(u_m, addI.u2);
    connect(gainTrack.y, addI.u3);
    connect(addI.y, I.u);
    connect(I.y, addPID.u3);
    connect(Izero.y, addPID.u3);
    connect(addPID.y, gainPID.u);
    connect(gainPID.y, addFF.u1);
    connect(u_ff, addFF.u2);
    connect(FFzero.y, addFF.u2);
    connect(addFF.y, limiter.u);
    connect(limiter.y, y);
    connect(limiter.y, addSat.u1);
    connect(addFF.y, addSat.u2);
    connect(addSat.y, gainTrack.u);
  end LimPID;

  block TransferFunction
    "y = (b[1]*s^m + ... + b[m+1])/(a[1]*s^n + ... + a[n+1])*u"
    extends SISO;
    parameter Real b[:] = {1} "Numerator, the highest power first";
    parameter Real a[:] = {1} "Denominator, the highest power first";
    parameter Init initType = Init.NoInit "How it begins";
    parameter Real x_start[size(a, 1) - 1] = zeros(nx) "States at the start";
    parameter Real y_start = 0 "Output at the start";
    output Real x[size(a, 1) - 1](start = x_start)
      "States, of the controller canonical form: x[i] = der(x[i+1])";
  protected
    parameter Integer na = size(a, 1);
    parameter Integer nb = size(b, 1);
    parameter Integer nx = size(a, 1) - 1;
    parameter Real bb[:] = cat(1, zeros(max(0, na - nb)), b);
    parameter Real d = bb[1]/a[1] "Direct share of the input";
  initial equation
    if initType == Init.SteadyState then
      der(x) = zeros(nx);
    elseif initType == Init.InitialState then
      x = x_start;
    elseif initType == Init.InitialOutput then
      y = y_start;
      der(x[2:nx]) = zeros(nx - 1);
    end if;
  equation
    assert(nb <= na, "cannot simulate a transfer function whose numerator " +
      "is of a higher degree than its denominator");
    if nx == 0 then
      y = d*u;
    else
      der(x[1]) = (u - a[2:na]*x)/a[1];
      der(x[2:nx]) = x[1:nx - 1];
      y = (bb[2:na] - d*a[2:na])*x + d*u;
    end if;
  end TransferFunction;

  block StateSpace "der(x) = A*x + B*u, y = C*x + D*u"
    extends MIMO(final nin = size(B, 2), final nout = size(C, 1));
    parameter Real A[:, size(A, 1)] = [1, 0; 0, 1] "Of states on derivatives";
    parameter Real B[size(A, 1), :] = [1; 1] "Of inputs on derivatives";
    parameter Real C[:, size(A, 1)] = [1, 1] "Of states on outputs";
    parameter Real D[size(C, 1), size(B, 2)] = zeros(size(C, 1), size(B, 2))
      "Of inputs on outputs";
    parameter Init initType = Init.NoInit "How it begins";
    parameter Real x_start[nx] = zeros(nx) "States at the start";
    parameter Real y_start[ny] = zeros(ny) "Outputs at the start";
    output Real x[size(A, 1)](start = x_start) "States";
  protected
    parameter Integer nx = size(A, 1);
    parameter Integer ny = size(C, 1);
  initial equation
    if initType == Init.SteadyState then
      der(x) = zeros(nx);
    elseif initType == Init.InitialState then
      x = x_start;
    elseif initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    der(x) = A*x + B*u;
    y = C*x + D*u;
  end StateSpace;

  block Der "y = der(u)"
    extends SISO;
  equation
    y = der(u);
  end Der;

  block LowpassButterworth "Low pass whose gain is the flattest"
    extends SISO(y(start = y_start));
    parameter Integer n(min = 1) = 2 "Order";
    parameter Modelica.Units.SI.Frequency f(start = 1)
      "Frequency where the gain is 1/sqrt(2)";
    parameter Init initType = Init.NoInit "How it begins";
    parameter Real x1_start[m] = zeros(m) "States x1 at the start";
    parameter Real x2_start[m] = zeros(m) "States x2 at the start";
    parameter Real xr_start = 0.0 "State xr at the start";
    parameter Real y_start = 0.0 "Output at the start";
    output Real x1[m](start = x1_start) "Outputs of the second order parts";
    output Real x2[m](start = x2_start) "Their derivatives over the frequency";
    output Real xr(start = xr_start) "State of the first order part";
  protected
    parameter Integer m = div(n, 2) "Number of second order parts";
    parameter Boolean isOdd = 2*m < n;
    parameter Modelica.Units.SI.AngularFrequency w = 2*Modelica.Constants.pi*f;
    parameter Real D[m] = {cos((if isOdd then i else i - 0.5)*
      Modelica.Constants.pi/n) for i in 1:m} "Dampings of the parts";
    Real z[m + 1] "Inputs of the parts, and the last one's output";
  initial equation
    if initType == Init.SteadyState then
      der(x1) = zeros(m);
      der(x2) = zeros(m);
      der(xr) = 0;
    elseif initType == Init.InitialState then
      x1 = x1_start;
      x2 = x2_start;
      xr = xr_start;
    elseif initType == Init.InitialOutput then
      y = y_start;
      der(x1) = zeros(m);
      if isOdd then
        if m > 0 then
          der(x2) = zeros(m);
        end if;
      else
        der(x2[1:m - 1]) = zeros(m - 1);
        xr = 0;
      end if;
    end if;
  equation
    z[1] = u;
    for i in 1:m loop
      der(x1[i]) = w*x2[i];
      der(x2[i]) = w*(z[i] - x1[i] - 2*D[i]*x2[i]);
      z[i + 1] = x1[i];
    end for;
    if isOdd then
      der(xr) = w*(z[m + 1] - xr);
      y = xr;
    else
      der(xr) = 0;
      y = z[m + 1];
    end if;
  end LowpassButterworth;

  block CriticalDamping "Low pass with all poles in one place"
    extends SISO(y(start = y_start));
    parameter Integer n = 2 "Order";
    parameter Modelica.Units.SI.Frequency f(start = 1) "Edge frequency";
    parameter Boolean normalized = true
      "Whether the gain at f is 1/sqrt(2); else f is that of each pole";
    parameter Init initType = Init.NoInit "How it begins";
    parameter Real x_start[n] = zeros(n) "States at the start";
    parameter Real y_start = 0.0 "Output at the start";
    output Real x[n](start = x_start) "States: one lag after the other";
  protected
    parameter Real alpha = if normalized then sqrt(2^(1/n) - 1) else 1.0;
    parameter Modelica.Units.SI.AngularFrequency w =
      2*Modelica.Constants.pi*f/alpha;
  initial equation
    if initType == Init.SteadyState then
      der(x) = zeros(n);
    elseif initType == Init.InitialState then
      x = x_start;
    elseif initType == Init.InitialOutput then
      y = y_start;
      der(x[1:n - 1]) = zeros(n - 1);
    end if;
  equation
    der(x[1]) = (u - x[1])*w;
    for i in 2:n loop
      der(x[i]) = (x[i - 1] - x[i])*w;
    end for;
    y = x[n];
  end CriticalDamping;

  block Filter "Low, high, band pass or band stop of a usual characteristic"
    extends SISO;
    import Modelica.Blocks.Types.AnalogFilter;
    import Modelica.Blocks.Types.FilterType;
    parameter AnalogFilter analogFilter = AnalogFilter.CriticalDamping
      "Characteristic";
    parameter FilterType filterType = FilterType.LowPass "What passes";
    parameter Init init = Init.SteadyState "How it begins";
    parameter Integer order(min = 1) = 2
      "Order; band filters have twice as many states";
    parameter Modelica.Units.SI.Frequency f_cut(start = 1)
      "Edge, for band filters the upper one";
    parameter Real gain = 1.0 "Gain where it passes";
    parameter Real A_ripple(unit = "dB") = 0.5 "Ripple of ChebyshevI";
    parameter Modelica.Units.SI.Frequency f_min = 0
      "The lower edge of band filters";
    parameter Boolean normalized = true
      "Whether the gain falls by 3 dB at an edge; else the poles are as the
       characteristic's definition has them";
    parameter Real u_nominal = 1.0 "Has no effect";
    parameter Real x_start[nx] = zeros(nx) "States at the start";
    parameter Real y_start = 0 "Output at the start";
    output Real x[nx](start = x_start)
      "Of each second order part, then of the first order one";
    final parameter Integer nx =
      if filterType == FilterType.LowPass or filterType == FilterType.HighPass
      then order else 2*order "Number of states";
  protected
    parameter Boolean isBand = filterType == FilterType.BandPass or
      filterType == FilterType.BandStop;
    parameter Integer m = div(nx, 2) "Number of second order parts";
    parameter Modelica.Units.SI.AngularFrequency w =
      2*Modelica.Constants.pi*(if isBand then sqrt(f_min*f_cut) else f_cut)
      "Edge, or the middle of the band";
    parameter Real parts[m, 2] = Internal.parts(analogFilter, filterType, order,
      if isBand then (f_cut - f_min)/sqrt(f_min*f_cut) else 1, A_ripple,
      normalized) "Frequency over w and damping of the second order parts";
    parameter Real real_pole = Internal.realPole(analogFilter, filterType,
      order, A_ripple, normalized) "Of the first order part, over -w";
    Real z[m + 1] "Inputs of the parts, and the last one's output";
  initial equation
    if init == Init.SteadyState then
      der(x) = zeros(nx);
    elseif init == Init.InitialState then
      x = x_start;
    elseif init == Init.InitialOutput then
      y = y_start;
      der(x[2:nx]) = zeros(nx - 1);
    end if;
  equation
    assert(f_cut > 0, "cannot filter with f_cut = " + String(f_cut) +
      " Hz: it must be positive");
    assert(not isBand or f_min > 0 and f_min < f_cut,
      "cannot filter a band from f_min = " + String(f_min) + " Hz to f_cut = " +
      String(f_cut) + " Hz: 0 < f_min < f_cut must hold");
    z[1] = u;
    // Transfer functions of x[2*i - 1] and x[2*i]: W^2/P and W*s/P with
    // P = s^2 + 2*D*W*s + W^2.
    for i in 1:m loop
      der(x[2*i - 1]) = w*parts[i, 1]*x[2*i];
      der(x[2*i]) = w*parts[i, 1]*(z[i] - x[2*i - 1] - 2*parts[i, 2]*x[2*i]);
      if filterType == FilterType.LowPass then
        z[i + 1] = x[2*i - 1];
      elseif filterType == FilterType.HighPass then
        z[i + 1] = z[i] - x[2*i - 1] - 2*parts[i, 2]*x[2*i];
      elseif filterType == FilterType.BandPass then
        z[i + 1] = x[2*i];
      else
        z[i + 1] = z[i] - 2*parts[i, 2]*x[2*i] +
          (1/parts[i, 1]^2 - 1)*x[2*i - 1];
      end if;
    end for;
    if 2*m < nx then
      der(x[nx]) = w*real_pole*(z[m + 1] - x[nx]);
      y = gain*(if filterType == FilterType.HighPass then z[m + 1] - x[nx] else
        x[nx]);
    else
      y = gain*z[m + 1]*(if filterType == FilterType.BandPass then
        Internal.bandGain(analogFilter, order,
          (f_cut - f_min)/sqrt(f_min*f_cut), A_ripple, normalized, parts) else 1);
    end if;
  end Filter;

  package Internal "Not for users"
    import Modelica.Blocks.Types.AnalogFilter;
    import Modelica.Blocks.Types.FilterType;

    function bessel
      "Poles of the Bessel filter: roots of the reverse Bessel polynomial"
      // W. E. Thomson, Proc. IEE 96-III (1949) 487; the roots by the method of
      // Ehrlich (1967) and Aberth (1973).
      input Integer n "Order";
      output Real p[n, 2] "Real and imaginary parts";
    protected
      Real c[n + 1] "Coefficients over that of s^0, the lowest first";
      Real f[2];
      Real d[2];
      Real g[2];
      Real h;
    algorithm
      c[1] := 1;
      for k in 1:n loop
        c[k + 1] := c[k]*2*(n - k + 1)/(k*(2*n - k + 1));
      end for;
      for i in 1:n loop
        p[i, 1] := -0.7*n*abs(sin((i - 0.5)*Modelica.Constants.pi/n)) - 0.3;
        p[i, 2] := 0.7*n*cos((i - 0.5)*Modelica.Constants.pi/n) + 0.01;
      end for;
      for iteration in 1:60 loop
        for i in 1:n loop
          f := {0, 0};
          d := {0, 0};
          for k in n + 1:-1:1 loop
            d := {d[1]*p[i, 1] - d[2]*p[i, 2] + f[1],
              d[1]*p[i, 2] + d[2]*p[i, 1] + f[2]};
            f := {f[1]*p[i, 1] - f[2]*p[i, 2] + c[k],
              f[1]*p[i, 2] + f[2]*p[i, 1]};
          end for;
          h := f[1]^2 + f[2]^2;
          if h > 0 then
            // d/f less the influence of the other roots
            g := {(d[1]*f[1] + d[2]*f[2])/h, (d[2]*f[1] - d[1]*f[2])/h};
            for k in 1:n loop
              if k <> i then
                h := (p[i, 1] - p[k, 1])^2 + (p[i, 2] - p[k, 2])^2;
                g := {g[1] - (p[i, 1] - p[k, 1])/h,
                  g[2] + (p[i, 2] - p[k, 2])/h};
              end if;
            end for;
            h := g[1]^2 + g[2]^2;
            p[i, 1] := p[i, 1] - g[1]/h;
            p[i, 2] := p[i, 2] + g[2]/h;
          end if;
        end for;
      end for;
    end bessel;

    function edge "Where the gain of a low pass of given poles is 10^(-3/20)"
      input Real p[:, 2] "Poles";
      output Real w "Frequency";
    protected
      Real lower = 0;
      Real upper = 1;
    algorithm
      while squaredGain(p, upper) > 10^(-0.3) loop
        lower := upper;
        upper := 2*upper;
      end while;
      for i in 1:60 loop
        w := (lower + upper)/2;
        if squaredGain(p, w) > 10^(-0.3) then
          lower := w;
        else
          upper := w;
        end if;
      end for;
    end edge;

    function squaredGain "Of a low pass of given poles, 1 at frequency 0"
      input Real p[:, 2] "Poles, both of each conjugate pair";
      input Real w "Frequency";
      output Real g;
    algorithm
      g := 1;
      for k in 1:size(p, 1) loop
        g := g*(p[k, 1]^2 + p[k, 2]^2)/(p[k, 1]^2 + (w - p[k, 2])^2);
      end for;
    end squaredGain;

    function poles "Of the low pass with its edge at 1 rad/s"
      // Tietze, Schenk, Gamm, Electronic Circuits (2008), chapter 13.
      input AnalogFilter analogFilter;
      input Integer n "Order";
      input Real A_ripple "Ripple, dB";
      input Boolean normalized;
      output Real p[n, 2] "Upper ones, the real one, lower ones in order";
    protected
      Real angle;
      Real a;
      Real epsilon;
    algorithm
      if analogFilter == AnalogFilter.CriticalDamping then
        a := if normalized then 1/sqrt(10^(0.3/n) - 1) else 1;
        for i in 1:n loop
          p[i, 1] := -a;
          p[i, 2] := 0;
        end for;
      elseif analogFilter == AnalogFilter.Bessel then
        p := bessel(n);
        if normalized then
          p := p/edge(p);
        end if;
        p := sorted(p);
      else
        epsilon := sqrt(10^(A_ripple/10) - 1);
        a := if analogFilter == AnalogFilter.ChebyshevI then
          log(1/epsilon + sqrt(1/epsilon^2 + 1))/n else 0;
        for i in 1:n loop
          angle := (i - 0.5)*Modelica.Constants.pi/n;
          if analogFilter == AnalogFilter.ChebyshevI then
            p[i, 1] := -sinh(a)*sin(angle);
            p[i, 2] := cosh(a)*cos(angle);
          else
            p[i, 1] := -sin(angle);
            p[i, 2] := cos(angle);
          end if;
        end for;
        if analogFilter == AnalogFilter.ChebyshevI and normalized then
          a := sqrt(10^0.3 - 1)/epsilon;
          p := p/(if a > 1 then cosh(log(a + sqrt(a^2 - 1))/n) else
            cos(acos(a)/n));
        end if;
      end if;
    end poles;

    function sorted "Complex numbers, by falling imaginary parts"
      input Real p[:, 2];
      output Real q[size(p, 1), 2];
    protected
      Real t[2];
    algorithm
      q := p;
      for i in 2:size(p, 1) loop
        for k in i:-1:2 loop
          if q[k, 2] > q[k - 1, 2] then
            t := q[k, :];
            q[k, :] := q[k - 1, :];
            q[k - 1, :] := t;
          end if;
        end for;
      end for;
    end sorted;

    function parts "Second order parts: frequencies over w and dampings"
      input AnalogFilter analogFilter;
      input FilterType filterType;
      input Integer n "Order";
      input Real b "Width of the band over its middle";
      input Real A_ripple;
      input Boolean normalized;
      output Real q[if filterType == FilterType.LowPass or
        filterType == FilterType.HighPass then div(n, 2) else n, 2];
    protected
      Real p[n, 2] = poles(analogFilter, n, A_ripple, normalized);
      Integer h = div(n, 2);
      Real r;
      Real re;
      Real im;
      Real root[2];
    algorithm
      if filterType == FilterType.LowPass or
          filterType == FilterType.HighPass then
        for i in 1:h loop
          r := sqrt(p[i, 1]^2 + p[i, 2]^2);
          q[i, 1] := if filterType == FilterType.LowPass then r else 1/r;
          q[i, 2] := -p[i, 1]/r;
        end for;
      else
        // s^2 - P*s + 1 = 0 with P = p*b, or b/p for a band stop
        for i in 1:h loop
          r := p[i, 1]^2 + p[i, 2]^2;
          re := b*p[i, 1]/(if filterType == FilterType.BandPass then 1 else r);
          im := b*p[i, 2]/(if filterType == FilterType.BandPass then 1 else r);
          root := squareRoot(re^2 - im^2 - 4, 2*re*im);
          for k in 1:2 loop
            r := sqrt((re + (3 - 2*k)*root[1])^2 +
              (im + (3 - 2*k)*root[2])^2)/2;
            q[2*i - 2 + k, 1] := r;
            q[2*i - 2 + k, 2] := -(re + (3 - 2*k)*root[1])/(2*r);
          end for;
        end for;
        if 2*h < n then
          q[n, 1] := 1;
          q[n, 2] := -b*(if filterType == FilterType.BandPass then p[h + 1, 1]
            else 1/p[h + 1, 1])/2;
        end if;
      end if;
    end parts;

    function squareRoot "Of the complex number re + j*im"
      input Real re;
      input Real im;
      output Real root[2];
    protected
      Real r = sqrt(re^2 + im^2);
    algorithm
      root := {sqrt((r + re)/2), (if im < 0 then -1 else 1)*sqrt((r - re)/2)};
    end squareRoot;

    function realPole "The real pole over -w, 1 if there is none"
      input AnalogFilter analogFilter;
      input FilterType filterType;
      input Integer n "Order";
      input Real A_ripple;
      input Boolean normalized;
      output Real r;
    protected
      Real p[n, 2] = poles(analogFilter, n, A_ripple, normalized);
    algorithm
      r := 1;
      if mod(n, 2) == 1 then
        r := if filterType == FilterType.HighPass then -1/p[div(n, 2) + 1, 1]
          else -p[div(n, 2) + 1, 1];
      end if;
    end realPole;

    function bandGain "What the parts of a band pass lack"
      input AnalogFilter analogFilter;
      input Integer n "Order";
      input Real b "Width of the band over its middle";
      input Real A_ripple;
      input Boolean normalized;
      input Real parts[:, 2] "Second order parts";
      output Real g;
    protected
      Real p[n, 2] = poles(analogFilter, n, A_ripple, normalized);
    algorithm
      g := 1;
      for i in 1:n loop
        g := g*b*sqrt(p[i, 1]^2 + p[i, 2]^2)/parts[i, 1];
      end for;
    end bandGain;
  end Internal;
end Continuous;
