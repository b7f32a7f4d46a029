within Modelica.Blocks;
package Types "Enumerations that choose what a block does"
  type Smoothness = enumeration(
      LinearSegments "Straight lines between the points",
      ContinuousDerivative
        "Akima's cubic curves: the first derivative is continuous",
      ConstantSegments "The value of the point before",
      MonotoneContinuousDerivative1
        "Fritsch and Butland's cubic curves: as monotone as the points",
      MonotoneContinuousDerivative2
        "Steffen's cubic curves: as monotone as the points",
      ModifiedContinuousDerivative
        "Akima's cubic curves with weights that avoid overshoot")
    "How a table is interpolated";
  type Extrapolation = enumeration(
      HoldLastPoint "The value of the first or the last point",
      LastTwoPoints "Along the tangent in the first or the last point",
      Periodic "The table is repeated",
      NoExtrapolation "Outside of the table is an error")
    "What a table gives outside of its points";
  type TimeEvents = enumeration(
      Always "At the end of every interval",
      AtDiscontinuities "Where the table jumps, and at its ends",
      NoTimeEvents "Nowhere")
    "Where a table over time has time events";
  type Init = enumeration(
      NoInit "No equations: start values are guesses",
      SteadyState "The derivatives of the states are zero",
      InitialState "The states have their start values",
      InitialOutput "The output has its start value, the rest is steady")
    "How a block begins";
  type SimpleController = enumeration(
      P "Proportional",
      PI "Proportional and integral",
      PD "Proportional and derivative",
      PID "Proportional, integral and derivative")
    "Parts of a controller";
  type LimiterHomotopy = enumeration(
      NoHomotopy "No simplified model",
      Linear "Without limits in the simplified model",
      UpperLimit "At the upper limit in the simplified model",
      LowerLimit "At the lower limit in the simplified model")
    "Simplified model of a limiter while the beginning is sought";
  type VariableLimiterHomotopy = enumeration(
      NoHomotopy "No simplified model",
      Linear "Without limits in the simplified model",
      Fixed "A fixed value in the simplified model")
    "Simplified model of a limiter with variable limits";
  type AnalogFilter = enumeration(
      CriticalDamping "All poles in one place",
      Bessel "The flattest delay of groups",
      Butterworth "The flattest gain in the pass band",
      ChebyshevI "Ripple in the pass band, the steepest edge")
    "Characteristic of a filter";
  type FilterType = enumeration(
      LowPass "Low frequencies pass",
      HighPass "High frequencies pass",
      BandPass "Frequencies between two limits pass",
      BandStop "Frequencies outside of two limits pass")
    "What a filter lets pass";
  type Regularization = enumeration(
      Exp "Exponential function",
      Sine "Half a wave of a sine",
      Linear "Straight line",
      Cosine "Half a wave of a cosine")
    "How a jump is smoothed";

  record ExternalCombiTimeTable
    "Columns over time, for Modelica.Blocks.Tables.Internal"
    String tableName "Name of the table in the file";
    String fileName "File with the table; NoName: it is in no file";
    Real table[:, :] "Times, growing, in column 1, and values";
    Real startTime "Before, the table gives 0";
    Integer columns[:] "Columns with values";
    Modelica.Blocks.Types.Smoothness smoothness "Interpolation";
    Modelica.Blocks.Types.Extrapolation extrapolation "Extrapolation";
    Real shiftTime = 0 "Added to the times";
    Modelica.Blocks.Types.TimeEvents timeEvents =
      Modelica.Blocks.Types.TimeEvents.Always "Which rows are events";
    Boolean verboseRead = true "Has no effect";
    String delimiter = "," "Between numbers in the file";
    Integer nHeaderLines = 0 "Lines before the numbers in the file";
    final Real points[:, :] = Orrery.Internal.Tables.tableOf(table,
      fileName <> "NoName", fileName, tableName, delimiter, nHeaderLines)
      "The table, wherever it is from";
    final Real slopes[size(points, 1), size(columns, 1)] =
      Orrery.Internal.Tables.slopes(points, columns, smoothness)
      "In each point";
  end ExternalCombiTimeTable;

  record ExternalCombiTable1D
    "Columns over an abscissa, for Modelica.Blocks.Tables.Internal"
    String tableName "Name of the table in the file";
    String fileName "File with the table; NoName: it is in no file";
    Real table[:, :] "Abscissas, growing, in column 1, and values";
    Integer columns[:] "Columns with values";
    Modelica.Blocks.Types.Smoothness smoothness "Interpolation";
    Modelica.Blocks.Types.Extrapolation extrapolation =
      Modelica.Blocks.Types.Extrapolation.LastTwoPoints "Extrapolation";
    Boolean verboseRead = true "Has no effect";
    String delimiter = "," "Between numbers in the file";
    Integer nHeaderLines = 0 "Lines before the numbers in the file";
    final Real points[:, :] = Orrery.Internal.Tables.tableOf(table,
      fileName <> "NoName", fileName, tableName, delimiter, nHeaderLines)
      "The table, wherever it is from";
    final Real slopes[size(points, 1), size(columns, 1)] =
      Orrery.Internal.Tables.slopes(points, columns, smoothness)
      "In each point";
  end ExternalCombiTable1D;

  record ExternalCombiTable2D
    "A table over two abscissas, for Modelica.Blocks.Tables.Internal"
    String tableName "Name of the table in the file";
    String fileName "File with the table; NoName: it is in no file";
    Real table[:, :] "u1 in column 1, u2 in row 1, both growing, and values";
    Modelica.Blocks.Types.Smoothness smoothness "Interpolation";
    Modelica.Blocks.Types.Extrapolation extrapolation =
      Modelica.Blocks.Types.Extrapolation.LastTwoPoints "Extrapolation";
    Boolean verboseRead = true "Has no effect";
    String delimiter = "," "Between numbers in the file";
    Integer nHeaderLines = 0 "Lines before the numbers in the file";
    final Real points[:, :] = Orrery.Internal.Tables.tableOf(table,
      fileName <> "NoName", fileName, tableName, delimiter, nHeaderLines)
      "The table, wherever it is from";
    final Real along1[size(points, 1) - 1, size(points, 2) - 1] =
      Orrery.Internal.Tables.slopes(points[2:end, :],
        2:size(points, 2), smoothness) "Slope along u1";
    final Real along2[size(points, 1) - 1, size(points, 2) - 1] = transpose(
      Orrery.Internal.Tables.slopes(transpose(points[:, 2:end]),
        2:size(points, 1), smoothness)) "Slope along u2";
    final Real twist[size(points, 1) - 1, size(points, 2) - 1] =
      Orrery.Internal.Tables.twists(points, along2, smoothness) "Slope along u1 of that along u2";
  end ExternalCombiTable2D;
end Types;
