package Blocks "The library's blocks, given what they cannot take"
  model TableFalls "Its rows are not sorted"
    Modelica.Blocks.Tables.CombiTable1Ds look(table = [0, 0; 2, 1; 1, 2],
      u = time);
  end TableFalls;

  model TimesFall
    Modelica.Blocks.Sources.CombiTimeTable series(
      table = [0, 0; 2, 1; 1, 2]);
  end TimesFall;

  model ColumnsFall "Of a table over two abscissas"
    Modelica.Blocks.Tables.CombiTable2Ds look(
      table = [0, 2, 1; 1, 3, 3; 2, 4, 4], u1 = time, u2 = time);
  end ColumnsFall;

  model TimeTableFalls
    Modelica.Blocks.Sources.TimeTable series(table = [0, 0; 2, 1; 1, 2]);
  end TimeTableFalls;

  model TwoLimiters "Each is named"
    block Pair
      Modelica.Blocks.Nonlinear.Limiter low(uMax = -1, uMin = 1, u = time);
      Modelica.Blocks.Nonlinear.Limiter high(uMax = 2, uMin = 3, u = time);
    end Pair;
    Pair pair;
  end TwoLimiters;

  model Sampling
    Modelica.Blocks.Discrete.Sampler sampler(samplePeriod = 0, u = time);
  end Sampling;

  model Delays
    Modelica.Blocks.Nonlinear.FixedDelay pipe(delayTime = -1, u = time);
  end Delays;

  model NoTable
    Modelica.Blocks.Tables.CombiTable1Ds look(u = time);
  end NoTable;

  model NoFile
    Modelica.Blocks.Tables.CombiTable1Ds look(u = time, tableOnFile = true,
      fileName = "none.txt");
  end NoFile;
end Blocks;
