within Modelica.Blocks;
package Tables "Functions given by the points of a table"
  import Modelica.Blocks.Interfaces.*;
  import Modelica.Blocks.Types.Smoothness;
  import Modelica.Blocks.Types.Extrapolation;

  partial block PartialTable1D "Columns of a table over its first column"
    parameter Boolean tableOnFile = false "Whether the table is in a file";
    parameter Real table[:, :] = fill(0.0, 0, 2)
      "Abscissas, growing, in column 1, and values";
    parameter String tableName = "NoName" "Name of the table in the file";
    parameter String fileName = "NoName" "File with the table";
    parameter Boolean verboseRead = true "Has no effect";
    final parameter Real points[:, :] = Orrery.Internal.Tables.tableOf(table,
      tableOnFile, fileName, tableName) "The table, wherever it is from";
    parameter Integer columns[:] = 2:size(table, 2) "Columns that are put out";
    parameter Smoothness smoothness = Smoothness.LinearSegments
      "Interpolation";
    parameter Extrapolation extrapolation = Extrapolation.LastTwoPoints
      "Extrapolation";
    parameter Boolean verboseExtrapolation = false
      "Whether leaving the table is reported";
    final parameter Real u_min = points[1, 1] "First abscissa";
    final parameter Real u_max = points[end, 1] "Last abscissa";
  protected
    parameter Real slopes[size(points, 1), size(columns, 1)] =
      Orrery.Internal.Tables.slopes(points, columns, smoothness)
      "In each point";
  end PartialTable1D;

  block CombiTable1Ds "Columns of a table at one abscissa u"
    extends PartialTable1D;
    extends SIMO(final nout = size(columns, 1));
  equation
    for i in 1:nout loop
      y[i] = Orrery.Internal.Tables.value(points, slopes, columns[i], i, u,
        smoothness, extrapolation);
    end for;
  end CombiTable1Ds;

  block CombiTable1Dv "Columns of a table, each at its own abscissa u[i]"
    extends PartialTable1D;
    extends MIMOs(final n = size(columns, 1));
  equation
    for i in 1:n loop
      y[i] = Orrery.Internal.Tables.value(points, slopes, columns[i], i, u[i],
        smoothness, extrapolation);
    end for;
  end CombiTable1Dv;

  block CombiTable1D = CombiTable1Dv
    "The name of CombiTable1Dv in version 3";

  partial block PartialTable2D "A table over two abscissas"
    parameter Boolean tableOnFile = false "Whether the table is in a file";
    parameter Real table[:, :] = fill(0.0, 0, 2)
      "u1 in column 1, u2 in row 1, both growing, from row and column 2 on";
    parameter String tableName = "NoName" "Name of the table in the file";
    parameter String fileName = "NoName" "File with the table";
    parameter Boolean verboseRead = true "Has no effect";
    final parameter Real points[:, :] = Orrery.Internal.Tables.tableOf(table,
      tableOnFile, fileName, tableName) "The table, wherever it is from";
    parameter Smoothness smoothness = Smoothness.LinearSegments
      "Interpolation";
    parameter Extrapolation extrapolation = Extrapolation.LastTwoPoints
      "Extrapolation";
    parameter Boolean verboseExtrapolation = false
      "Whether leaving the table is reported";
    final parameter Real u_min[2] = {points[2, 1], points[1, 2]}
      "First abscissas";
    final parameter Real u_max[2] = {points[end, 1], points[1, end]}
      "Last abscissas";
  protected
    parameter Integer n1 = size(points, 1) - 1;
    parameter Integer n2 = size(points, 2) - 1;
    parameter Real along1[n1, n2] = Orrery.Internal.Tables.slopes(
      points[2:end, :], 2:n2 + 1, smoothness) "Slope along u1";
    parameter Real along2[n1, n2] = transpose(Orrery.Internal.Tables.slopes(
      transpose(points[:, 2:end]), 2:n1 + 1, smoothness)) "Slope along u2";
    parameter Real twist[n1, n2] = Orrery.Internal.Tables.twists(points,
      along2, smoothness)
      "Slope along u1 of that along u2";
  end PartialTable2D;

  block CombiTable2Ds "A table at the point (u1, u2)"
    extends PartialTable2D;
    extends SI2SO;
  equation
    y = Orrery.Internal.Tables.value2(points, along1, along2, twist, u1, u2,
      smoothness, extrapolation);
  end CombiTable2Ds;

  block CombiTable2Dv "A table at several points (u1[i], u2[i])"
    extends PartialTable2D;
    extends MI2MO;
  equation
    for i in 1:n loop
      y[i] = Orrery.Internal.Tables.value2(points, along1, along2, twist, u1[i],
        u2[i], smoothness, extrapolation);
    end for;
  end CombiTable2Dv;

  block CombiTable2D = CombiTable2Ds
    "The name of CombiTable2Ds in version 3";

  package Internal "Not for users"
    function getTable1DValue "Column icol of a table at u"
      input Modelica.Blocks.Types.ExternalCombiTable1D tableID "Table";
      input Integer icol "Which of its columns";
      input Real u "Where";
      output Real y "Value";
    algorithm
      y := Orrery.Internal.Tables.value(tableID.points, tableID.slopes,
        tableID.columns[icol], icol, u, tableID.smoothness,
        tableID.extrapolation);
    end getTable1DValue;

    function getTable1DValueNoDer = getTable1DValue;

    function getTable1DValueNoDer2 = getTable1DValue;

    function getTable1DAbscissaUmin "First abscissa"
      input Modelica.Blocks.Types.ExternalCombiTable1D tableID "Table";
      output Real uMin = tableID.points[1, 1] "First abscissa";
    algorithm
    end getTable1DAbscissaUmin;

    function getTable1DAbscissaUmax "Last abscissa"
      input Modelica.Blocks.Types.ExternalCombiTable1D tableID "Table";
      output Real uMax = tableID.points[size(tableID.points, 1), 1]
        "Last abscissa";
    algorithm
    end getTable1DAbscissaUmax;

    function getTable2DValue "A table at (u1, u2)"
      input Modelica.Blocks.Types.ExternalCombiTable2D tableID "Table";
      input Real u1 "Where";
      input Real u2 "Where";
      output Real y "Value";
    algorithm
      y := Orrery.Internal.Tables.value2(tableID.points, tableID.along1,
        tableID.along2, tableID.twist, u1, u2, tableID.smoothness,
        tableID.extrapolation);
    end getTable2DValue;

    function getTable2DValueNoDer = getTable2DValue;

    function getTable2DValueNoDer2 = getTable2DValue;

    function getTable2DAbscissaUmin "First abscissas"
      input Modelica.Blocks.Types.ExternalCombiTable2D tableID "Table";
      output Real uMin[2] = {tableID.points[2, 1], tableID.points[1, 2]}
        "First abscissas";
    algorithm
    end getTable2DAbscissaUmin;

    function getTable2DAbscissaUmax "Last abscissas"
      input Modelica.Blocks.Types.ExternalCombiTable2D tableID "Table";
      output Real uMax[2] = {tableID.points[size(tableID.points, 1), 1],
        tableID.points[1, size(tableID.points, 2)]} "Last abscissas";
    algorithm
    end getTable2DAbscissaUmax;

    function getTimeTableValue "Column icol of a table over time"
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID "Table";
      input Integer icol "Which of its columns";
      input Real timeIn "Now";
      discrete input Real nextTimeEvent "When the next row comes";
      discrete input Real pre_nextTimeEvent "The same before an event";
      output Real y "Value";
    algorithm
      y := Orrery.Internal.Tables.valueOverTime(tableID.points, tableID.slopes,
        tableID.columns[icol], icol, timeIn, nextTimeEvent, tableID.startTime,
        tableID.shiftTime, tableID.smoothness, tableID.extrapolation,
        Integer(tableID.timeEvents));
    end getTimeTableValue;

    function getTimeTableValueNoDer = getTimeTableValue;
    function getTimeTableValueNoDer2 = getTimeTableValue;

    function getTimeTableTmin "First time of a table"
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID "Table";
      output Real timeMin = tableID.points[1, 1] "First time";
    algorithm
    end getTimeTableTmin;

    function getTimeTableTmax "Last time of a table"
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID "Table";
      output Real timeMax = tableID.points[size(tableID.points, 1), 1]
        "Last time";
    algorithm
    end getTimeTableTmax;

    function getNextTimeEvent "When the next row comes that is an event"
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID "Table";
      input Real timeIn "Now";
      output Real nextTimeEvent "After timeIn";
    algorithm
      nextTimeEvent := Orrery.Internal.Tables.nextEvent(tableID.points,
        tableID.startTime, tableID.shiftTime,
        tableID.extrapolation ==
          Modelica.Blocks.Types.Extrapolation.Periodic, Integer(tableID.timeEvents),
        timeIn);
    end getNextTimeEvent;
  end Internal;
end Tables;
