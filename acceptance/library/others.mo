package Others "Nonlinear, Routing and Tables"
  model Limits "u = 3*sin(time), and constants"
    import Modelica.Blocks.Nonlinear.*;
    Real u = 3*sin(time);
    Limiter limiter(uMax = 2, u = u);
    Limiter below(uMax = 2, uMin = -1, u = -1.5);
    Limiter strict(uMax = 2, strict = true, u = u);
    VariableLimiter variable(u = u, limit1 = time, limit2 = -time);
    VariableLimiter strict2(u = u, limit1 = time, limit2 = -time,
      strict = true);
    DeadZone zone(uMax = 1, u = u);
    DeadZone below2(uMax = 1, uMin = -2, u = -3.5);
    DeadZone inside(uMax = 1, u = 0.5);
    SlewRateLimiter slow(Rising = 0.5, u = 10 + 2*time);
    SlewRateLimiter follows(Rising = 5, Td = 0.01, u = 10 + 2*time);
    SlewRateLimiter falls(Rising = 1, Falling = -3, strict = true,
      initType = Modelica.Blocks.Types.Init.InitialState, y_start = 4,
      u = -100);
    Orrery.Blocks.Nonlinear.Saturation saturation(upper = 2, u = u);
    Orrery.Blocks.Nonlinear.Quantizer quantizer(interval = 0.4, u = u);
    Orrery.Blocks.Nonlinear.CoulombFriction friction(offset = 2, gain = 3,
      u = -0.5);
    Orrery.Blocks.Nonlinear.Backlash backlash(width = 0.5, T = 1e-2,
      y_start = -1, u = 2*time);
  end Limits;

  model Routes
    import Modelica.Blocks.Routing.*;
    RealReplicator realReplicator(nout = 2, u = 1.5);
    IntegerReplicator integerReplicator(nout = 2, u = 3);
    BooleanReplicator booleanReplicator(nout = 2, u = true);
    RealVectorReplicator vectors(nin = 2, nout = 3, u = {4, 5});
    IntegerVectorReplicator integers(nin = 2, nout = 3, u = {4, 5});
    BooleanVectorReplicator booleans(nin = 2, nout = 3, u = {true, false});
    RealPassThrough realPassThrough(u = 1.5);
    IntegerPassThrough integerPassThrough(u = 3);
    BooleanPassThrough booleanPassThrough(u = true);
    ExtractSignal extractSignal(nin = 3, nout = 2, extract = {3, 1},
      u = {4, 5, 6});
    Multiplex2 m2(n1 = 2, u1 = {1, 2}, u2 = {3});
    Multiplex3 m3(n2 = 2, u1 = {1}, u2 = {2, 3}, u3 = {4});
    Multiplex4 m4(u1 = {1}, u2 = {2}, u3 = {3}, u4 = {4});
    Multiplex5 m5(u1 = {1}, u2 = {2}, u3 = {3}, u4 = {4}, u5 = {5});
    Multiplex6 m6(u1 = {1}, u2 = {2}, u3 = {3}, u4 = {4}, u5 = {5}, u6 = {6});
    DeMultiplex2 d2(n1 = 2);
    DeMultiplex3 d3(n2 = 2);
    DeMultiplex4 d4;
    DeMultiplex5 d5;
    DeMultiplex6 d6;
    Multiplex m(n = 3, u = {7, 8, 9});
    DeMultiplex d(n = 3);
  equation
    connect(m2.y, d2.u);
    connect(m3.y, d3.u);
    connect(m4.y, d4.u);
    connect(m5.y, d5.u);
    connect(m6.y, d6.u);
    connect(m.y, d.u);
  end Routes;

  model Curves "One table, six ways through it"
    import Modelica.Blocks.Tables.*;
    import Modelica.Blocks.Types.*;
    parameter Real table[:, :] = [0, 0, 1; 1, 1, 0; 2, 4, 3; 4, 5, 3; 5, 2, -1];
    CombiTable1Ds linear(table = table, u = 2.5);
    CombiTable1Ds second(table = table, columns = {3, 2}, u = 2.5);
    CombiTable1Dv vector(table = table, u = {0.5, 4.5});
    CombiTable1Ds akima(table = table, u = 2.5,
      smoothness = Smoothness.ContinuousDerivative);
    CombiTable1Ds akima2(table = table, u = 0.25,
      smoothness = Smoothness.ContinuousDerivative);
    CombiTable1Ds makima(table = table, u = 2.5,
      smoothness = Smoothness.ModifiedContinuousDerivative);
    CombiTable1Ds butland(table = table, u = 1.25,
      smoothness = Smoothness.MonotoneContinuousDerivative1);
    CombiTable1Ds steffen(table = table, u = 1.25,
      smoothness = Smoothness.MonotoneContinuousDerivative2);
    CombiTable1Ds constants(table = table, u = 3.9,
      smoothness = Smoothness.ConstantSegments);
    CombiTable1Ds above(table = table, u = 6);
    CombiTable1Ds below(table = table, u = -1);
    CombiTable1Ds held(table = table, u = 6,
      extrapolation = Extrapolation.HoldLastPoint);
    CombiTable1Ds repeated(table = table, u = 12.5,
      extrapolation = Extrapolation.Periodic);
    CombiTable1Ds within1(table = table, u = 5,
      extrapolation = Extrapolation.NoExtrapolation);
    Real rate(start = 0, fixed = true) "The curve of Akima, integrated";
    CombiTable1Ds rates(table = table,
      smoothness = Smoothness.ContinuousDerivative);
  equation
    rates.u = 2 + 2*time;
    der(rate) = 2*rates.y[1];
  end Curves;

  model Surfaces "u1*(1 + u2) is bilinear; a cubic through it is the same"
    import Modelica.Blocks.Tables.*;
    import Modelica.Blocks.Types.*;
    parameter Real table[:, :] = [0, 0, 1, 3; 0, 0, 0, 0; 1, 1, 2, 4;
      2, 2, 4, 8];
    CombiTable2Ds linear(table = table, u1 = 1.5, u2 = 2);
    CombiTable2Ds outside(table = table, u1 = 3, u2 = -1);
    CombiTable2Ds held(table = table, u1 = 3, u2 = 2,
      extrapolation = Extrapolation.HoldLastPoint);
    CombiTable2Ds smooth1(table = table, u1 = 1.5, u2 = 2,
      smoothness = Smoothness.ContinuousDerivative);
    CombiTable2Ds beyond(table = table, u1 = 3, u2 = -1,
      smoothness = Smoothness.ContinuousDerivative);
    CombiTable2Ds steps(table = table, u1 = 1.5, u2 = 2,
      smoothness = Smoothness.ConstantSegments);
    CombiTable2Dv vector(n = 2, table = table, u1 = {0.5, 2}, u2 = {0.5, 3});
  end Surfaces;

  model AkimaSurface "H. Akima, Comm. ACM 17 (1974) 18-20"
    import Modelica.Blocks.Types.Smoothness;
    parameter Real table[:, :] = [0, 0, 2, 3, 5; 0, 1, 2, 0, 3; 1, 4, 1, 5, 2;
      3, 2, 6, 3, 1; 4, 0, 1, 4, 7];
    Modelica.Blocks.Tables.CombiTable2Dv points(n = 5, table = table,
      u1 = {0.5, 3.5, 2, -1, 2}, u2 = {1, 4, 2.5, 6, -1},
      smoothness = Smoothness.ContinuousDerivative);
  end AkimaSurface;

  model Files "Tables that stand in files beside this one"
    import Modelica.Blocks.Tables.*;
    import Modelica.Blocks.Sources.CombiTimeTable;
    CombiTimeTable speed(tableOnFile = true, fileName = "data/tables.txt",
      tableName = "speed");
    CombiTimeTable curve(tableOnFile = true, fileName = "data/curve.csv",
      columns = 2:3,
      extrapolation = Modelica.Blocks.Types.Extrapolation.HoldLastPoint);
    CombiTable1Ds width(tableOnFile = true, fileName = "data/curve.csv",
      columns = {3}, u = 1.5);
    CombiTable2Ds map(tableOnFile = true, fileName = "data/tables.txt",
      tableName = "map", u1 = 1.5, u2 = 1.25);
  end Files;

  model NoFile
    Modelica.Blocks.Tables.CombiTable1Ds one(tableOnFile = true,
      fileName = "data/none.txt", u = 1);
  end NoFile;

  model NoTable
    Modelica.Blocks.Tables.CombiTable1Ds one(tableOnFile = true,
      fileName = "data/tables.txt", tableName = "sped", u = 1);
  end NoTable;
end Others;
