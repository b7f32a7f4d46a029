within Orrery;
package Internal "Not for users"
  package Tables "Functions given by the points of a table"
    import Modelica.Blocks.Types.Smoothness;
    import Modelica.Blocks.Types.Extrapolation;

    // Of enumerations that not all versions of the library have.
    constant Integer kModified = 6 "Smoothness.ModifiedContinuousDerivative";
    constant Integer kAlways = 1 "TimeEvents.Always";
    constant Integer kAtDiscontinuities = 2 "TimeEvents.AtDiscontinuities";
    constant Integer kNoTimeEvents = 3 "TimeEvents.NoTimeEvents";

    function tableOf "The table, or what stands in a file"
      input Real table[:, :] "Table";
      input Boolean isOnFile "Whether it is on file";
      input String fileName "File: numbers in lines, or it begins with #1";
      input String tableName "Name of the table in a file of the second kind";
      input String delimiter = "," "Between numbers, beside the usual ones";
      input Integer nHeaderLines = 0 "Lines before the numbers";
      output Real points[:, :] "Table";
    external "builtin";
    end tableOf;

    function rowAt "The last row that is not beyond u"
      input Real table[:, :] "Abscissas, growing, in column 1";
      input Integer first "The first row that counts";
      input Real u "Where";
      output Integer i = first "first to size(table, 1) - 1";
    protected
      Integer high = size(table, 1);
      Integer middle;
    algorithm
      while high > i + 1 loop
        middle := integer((i + high)/2);
        if table[middle, 1] <= u then
          i := middle;
        else
          high := middle;
        end if;
      end while;
    end rowAt;

    function columnAt "The last column that is not beyond u"
      input Real table[:, :] "Abscissas, growing, in row 1 from column 2 on";
      input Real u "Where";
      output Integer j = 2 "2 to size(table, 2) - 1";
    protected
      Integer high = size(table, 2);
      Integer middle;
    algorithm
      while high > j + 1 loop
        middle := integer((j + high)/2);
        if table[1, middle] <= u then
          j := middle;
        else
          high := middle;
        end if;
      end while;
    end columnAt;

    function rowsCome "How many rows of a table over time have come"
      input Real table[:, :] "Times, growing, in column 1";
      input Boolean isPeriodic "Whether it is repeated";
      input Real shift "Added to the times";
      input Real scale "By which they are multiplied before";
      input Real t "Now";
      output Integer passed = 0 "Rows, of this period";
      output Integer cycle = 0 "Number of the period";
      output Real next "When the next row comes";
    protected
      Integer n = size(table, 1);
      Real span = 0 "Of a period";
      Integer high = n + 1;
      Integer middle;
    algorithm
      if isPeriodic then
        span := table[n, 1] - table[1, 1];
        cycle := integer(floor(((t - shift)/scale - table[1, 1])/span));
        // A period ends when its last row comes, whatever rounding says.
        while t < shift + scale*(table[n, 1] + (cycle - 1)*span) loop
          cycle := cycle - 1;
        end while;
        while t >= shift + scale*(table[n, 1] + cycle*span) loop
          cycle := cycle + 1;
        end while;
      end if;
      while high > passed + 1 loop
        middle := integer((passed + high)/2);
        if t >= shift + scale*(table[middle, 1] + cycle*span) then
          passed := middle;
        else
          high := middle;
        end if;
      end while;
      next := if passed < n then
        shift + scale*(table[passed + 1, 1] + cycle*span)
        else Modelica.Constants.inf;
      passed := if isPeriodic then max(passed, 1) else passed;
    end rowsCome;

    function curve "A cubic between two points, its tangents beyond them"
      input Real x0 "First abscissa";
      input Real x1 "Second abscissa";
      input Real f0 "First value";
      input Real f1 "Second value";
      input Real d0 "Slope in the first point";
      input Real d1 "Slope in the second point";
      input Real x "Where";
      output Real y "Value";
    protected
      Real h = x1 - x0;
      Real s;
    algorithm
      if x < x0 then
        y := f0 + d0*(x - x0);
      elseif x > x1 then
        y := f1 + d1*(x - x1);
      elseif h > 0 then
        s := (x - x0)/h;
        y := (1 + 2*s)*(1 - s)^2*f0 + s*(1 - s)^2*h*d0 +
          s^2*(3 - 2*s)*f1 - s^2*(1 - s)*h*d1;
      else
        y := f1;
      end if;
    end curve;

    function inside "An abscissa within the table, or as it is"
      input Real first "First abscissa of the table";
      input Real last "Last abscissa of the table";
      input Real u "Where";
      input Extrapolation extrapolation "What holds outside";
      output Real x "Where to look";
    algorithm
      x := u;
      if extrapolation == Extrapolation.Periodic then
        if last > first then
          x := u - (last - first)*floor((u - first)/(last - first));
        end if;
      elseif extrapolation == Extrapolation.HoldLastPoint then
        x := min(max(u, first), last);
      elseif extrapolation == Extrapolation.NoExtrapolation then
        assert(u >= first and u <= last,
          "cannot look up a value outside of the table: its extrapolation " +
          "is NoExtrapolation");
      end if;
    end inside;

    function lineInRow "Straight lines between the rows of a table"
      input Real table[:, 2] "Abscissas, growing, and values";
      input Integer passed "How many rows are not beyond t";
      input Real t "Where";
      output Real y "Value";
    protected
      Integer n = size(table, 1);
      Integer i;
    algorithm
      i := min(max(passed, 1), n - 1);
      if n == 1 then
        y := table[1, 2];
      elseif table[i + 1, 1] > table[i, 1] then
        y := table[i, 2] + (table[i + 1, 2] - table[i, 2])*
          (t - table[i, 1])/(table[i + 1, 1] - table[i, 1]);
      else
        y := table[if passed < 1 then i else i + 1, 2];
      end if;
    end lineInRow;

    function value "A column of a table at u"
      input Real table[:, :] "Abscissas, growing, in column 1, and values";
      input Real d[size(table, 1), :] "Slopes";
      input Integer c "Which column of the table";
      input Integer k "Which column of the slopes";
      input Real u "Where";
      input Smoothness smoothness "Interpolation";
      input Extrapolation extrapolation "Extrapolation";
      output Real y "Value";
    protected
      Integer n = size(table, 1);
      Integer i;
      Real at;
    algorithm
      if n == 1 then
        y := table[1, c];
      else
        at := inside(table[1, 1], table[n, 1], u, extrapolation);
        i := if at >= table[n, 1] then n else rowAt(table, 1, at);
        y := valueInRow(table, d, c, k, i, at, smoothness);
      end if;
    end value;

    function valueInRow "A column of a table between two rows"
      input Real table[:, :] "Abscissas, growing, in column 1, and values";
      input Real d[size(table, 1), :] "Slopes";
      input Integer c "Which column of the table";
      input Integer k "Which column of the slopes";
      input Integer passed "How many rows are not beyond at";
      input Real at "Where";
      input Smoothness smoothness "Interpolation";
      output Real y "Value";
    protected
      Integer n = size(table, 1);
      Integer i;
    algorithm
      i := min(max(passed, 1), n - 1);
      if n == 1 then
        y := table[1, c];
      elseif smoothness == Smoothness.ConstantSegments and at >= table[1, 1] and
          at <= table[n, 1] then
        y := table[max(passed, 1), c];
      elseif smoothness <> Smoothness.LinearSegments and
          smoothness <> Smoothness.ConstantSegments then
        y := curve(table[i, 1], table[i + 1, 1], table[i, c], table[i + 1, c],
          d[i, k], d[i + 1, k], at);
      elseif table[i + 1, 1] > table[i, 1] then
        y := table[i, c] + (table[i + 1, c] - table[i, c])*
          (at - table[i, 1])/(table[i + 1, 1] - table[i, 1]);
      else
        y := table[if passed < 1 then i else i + 1, c];
      end if;
    end valueInRow;

    function value2 "A table over two abscissas at (u1, u2)"
      input Real table[:, :] "Abscissas and values";
      input Real along1[size(table, 1) - 1, size(table, 2) - 1] "Slopes";
      input Real along2[size(table, 1) - 1, size(table, 2) - 1] "Slopes";
      input Real twist[size(table, 1) - 1, size(table, 2) - 1] "Slopes";
      input Real u1 "Where";
      input Real u2 "Where";
      input Smoothness smoothness "Interpolation";
      input Extrapolation extrapolation "Extrapolation";
      output Real y "Value";
    protected
      Integer n1 = size(table, 1) - 1;
      Integer n2 = size(table, 2) - 1;
      Integer i;
      Integer j;
      Integer k;
      Integer l;
      Real at1;
      Real at2;
      Real x0;
      Real x1;
      Real y0;
      Real y1;
      Real s;
      Real t;
      Real value[2];
      Real slope[2];
    algorithm
      at1 := inside(table[2, 1], table[n1 + 1, 1], u1, extrapolation);
      at2 := inside(table[1, 2], table[1, n2 + 1], u2, extrapolation);
      i := if n1 > 1 then rowAt(table, 2, at1) - 1 else 1;
      j := if n2 > 1 then columnAt(table, at2) - 1 else 1;
      k := min(i + 1, n1);
      l := min(j + 1, n2);
      x0 := table[i + 1, 1];
      x1 := table[k + 1, 1];
      y0 := table[1, j + 1];
      y1 := table[1, l + 1];
      if smoothness == Smoothness.LinearSegments or
          smoothness == Smoothness.ConstantSegments then
        s := if k > i then (at1 - x0)/(x1 - x0) else 0;
        t := if l > j then (at2 - y0)/(y1 - y0) else 0;
        // Constant within the table, a plane beyond it.
        if smoothness == Smoothness.ConstantSegments and s >= 0 and s <= 1 and
            t >= 0 and t <= 1 then
          s := if s < 1 then 0 else 1;
          t := if t < 1 then 0 else 1;
        end if;
        y := (1 - s)*((1 - t)*table[i + 1, j + 1] + t*table[i + 1, l + 1]) +
          s*((1 - t)*table[k + 1, j + 1] + t*table[k + 1, l + 1]);
      else
        value[1] := curve(y0, y1, table[i + 1, j + 1], table[i + 1, l + 1],
          along2[i, j], along2[i, l], at2);
        value[2] := curve(y0, y1, table[k + 1, j + 1], table[k + 1, l + 1],
          along2[k, j], along2[k, l], at2);
        slope[1] := curve(y0, y1, along1[i, j], along1[i, l], twist[i, j],
          twist[i, l], at2);
        slope[2] := curve(y0, y1, along1[k, j], along1[k, l], twist[k, j],
          twist[k, l], at2);
        y := curve(x0, x1, value[1], value[2], slope[1], slope[2], at1);
      end if;
    end value2;

    function grows "Whether no abscissa is below the one before"
      input Real x[:] "Abscissas";
      output Boolean isTrue = true;
    algorithm
      for i in 2:size(x, 1) loop
        isTrue := isTrue and x[i] >= x[i - 1];
      end for;
    end grows;

    function slopes "Slopes of the curves through the points of a table"
      input Real table[:, :] "Abscissas, growing, in column 1, and values";
      input Integer columns[:] "Columns with values";
      input Smoothness smoothness "Interpolation";
      output Real d[size(table, 1), size(columns, 1)] "Slopes";
    protected
      Integer n = size(table, 1);
      Real m[size(table, 1) + 3] "Slopes of segments, two beyond each end";
      Real h[size(table, 1) + 3] "Lengths of segments";
    algorithm
      assert(grows(table[:, 1]),
        "cannot look up a table whose abscissas do not grow: sort its rows");
      d := zeros(size(table, 1), size(columns, 1));
      if n > 1 and smoothness <> Smoothness.LinearSegments and
          smoothness <> Smoothness.ConstantSegments then
        for j in 1:size(columns, 1) loop
          h := ones(size(h, 1));
          for i in 1:n - 1 loop
            h[i + 2] := table[i + 1, 1] - table[i, 1];
          end for;
          m := segments(table[:, 1], table[:, columns[j]]);
          for i in 1:n loop
            if smoothness == Smoothness.ContinuousDerivative or
                Integer(smoothness) == kModified then
              d[i, j] := akima({m[i], m[i + 1], m[i + 2], m[i + 3]},
                Integer(smoothness) == kModified);
            elseif i == 1 then
              d[i, j] := m[3];
            elseif i == n then
              d[i, j] := m[n + 1];
            elseif smoothness == Smoothness.MonotoneContinuousDerivative1 then
              d[i, j] := fritschButland(m[i + 1], m[i + 2], h[i + 1],
                h[i + 2]);
            else
              d[i, j] := steffen(m[i + 1], m[i + 2], h[i + 1], h[i + 2]);
            end if;
          end for;
        end for;
      end if;
    end slopes;

    function segments "Slopes between points, two more beyond each end"
      input Real x[:] "Abscissas, growing";
      input Real f[size(x, 1)] "Values";
      output Real m[size(x, 1) + 3] "Slopes";
    protected
      Integer n = size(x, 1);
    algorithm
      m := zeros(n + 3);
      for i in 1:n - 1 loop
        assert(x[i + 1] > x[i],
          "cannot lay a curve through a table whose abscissas do not grow");
        m[i + 2] := (f[i + 1] - f[i])/(x[i + 1] - x[i]);
      end for;
      if n > 2 then
        m[2] := 2*m[3] - m[4];
        m[1] := 2*m[2] - m[3];
        m[n + 2] := 2*m[n + 1] - m[n];
        m[n + 3] := 2*m[n + 2] - m[n + 1];
      elseif n == 2 then
        m := fill(m[3], n + 3);
      end if;
    end segments;

    function twists "Slopes along u1 of the slopes along u2"
      input Real table[:, :] "Abscissas and values";
      input Real along2[size(table, 1) - 1, size(table, 2) - 1]
        "Slopes along u2";
      input Smoothness smoothness "Interpolation";
      output Real d[size(table, 1) - 1, size(table, 2) - 1] "Twists";
    protected
      Integer n1 = size(table, 1) - 1;
      Integer n2 = size(table, 2) - 1;
    algorithm
      if smoothness == Smoothness.ContinuousDerivative or
          Integer(smoothness) == kModified then
        d := akimaTwists(table[2:n1 + 1, 1], table[1, 2:n2 + 1],
          table[2:n1 + 1, 2:n2 + 1], Integer(smoothness) == kModified);
      else
        d := slopes(cat(2, table[2:n1 + 1, 1:1], along2), 2:n2 + 1, smoothness);
      end if;
    end twists;

    function akimaTwists "Twists of the surface through points of a grid"
      // H. Akima, Comm. ACM 17 (1974) 18-20: means over the four cells around
      // each point, weighted as the segments are for the slopes.
      input Real x[:] "Abscissas, growing";
      input Real y[:] "Abscissas, growing";
      input Real f[size(x, 1), size(y, 1)] "Values";
      input Boolean isModified "Whether the weights are the modified ones";
      output Real d[size(x, 1), size(y, 1)] "Twists";
    protected
      Real mx[size(x, 1) + 3, size(y, 1)] "Slopes of segments along x";
      Real my[size(y, 1) + 3] "Slopes of segments along y";
      Real cells[size(x, 1) + 3, size(y, 1) + 3] "Twists of cells";
      Real wx[2];
      Real wy[2];
    algorithm
      for j in 1:size(y, 1) loop
        mx[:, j] := segments(x, f[:, j]);
      end for;
      for i in 1:size(x, 1) + 3 loop
        cells[i, :] := segments(y, mx[i, :]);
      end for;
      for i in 1:size(x, 1) loop
        my := segments(y, f[i, :]);
        for j in 1:size(y, 1) loop
          wx := weights(
            {mx[i, j], mx[i + 1, j], mx[i + 2, j], mx[i + 3, j]}, isModified);
          wy := weights({my[j], my[j + 1], my[j + 2], my[j + 3]}, isModified);
          d[i, j] := (
            wx[1]*(wy[1]*cells[i + 1, j + 1] + wy[2]*cells[i + 1, j + 2]) +
            wx[2]*(wy[1]*cells[i + 2, j + 1] + wy[2]*cells[i + 2, j + 2]))/
            ((wx[1] + wx[2])*(wy[1] + wy[2]));
        end for;
      end for;
    end akimaTwists;

    function weights "How much segments 2 and 3 count in the slope between them"
      // H. Akima, J. ACM 17 (1970) 589-602. The modified weights also know
      // how steep the segments are (C. Moler, makima, 2019).
      input Real m[4] "Slopes of segments";
      input Boolean isModified "Whether the weights are the modified ones";
      output Real w[2] "Weights";
    algorithm
      w[1] := abs(m[4] - m[3]) + (if isModified then abs(m[4] + m[3])/2 else 0);
      w[2] := abs(m[2] - m[1]) + (if isModified then abs(m[2] + m[1])/2 else 0);
      if w[1] + w[2] <= 0 then
        w := {1, 1};
      end if;
    end weights;

    function akima "Slope in a point between segments 2 and 3"
      input Real m[4] "Slopes of segments";
      input Boolean isModified "Whether the weights are the modified ones";
      output Real d "Slope";
    protected
      Real w[2];
    algorithm
      w := weights(m, isModified);
      d := (w[1]*m[2] + w[2]*m[3])/(w[1] + w[2]);
    end akima;

    function fritschButland "Slope in a point between two segments"
      // F. N. Fritsch, J. Butland, SIAM J. Sci. Stat. Comput. 5 (1984) 300.
      input Real m0 "Slope before";
      input Real m1 "Slope behind";
      input Real h0 "Length before";
      input Real h1 "Length behind";
      output Real d "Slope";
    algorithm
      if m0*m1 > 0 then
        d := 3*(h0 + h1)/((h0 + 2*h1)/m0 + (2*h0 + h1)/m1);
      else
        d := 0;
      end if;
    end fritschButland;

    function steffen "Slope in a point between two segments"
      // M. Steffen, Astron. Astrophys. 239 (1990) 443-450, eq. 11.
      input Real m0 "Slope before";
      input Real m1 "Slope behind";
      input Real h0 "Length before";
      input Real h1 "Length behind";
      output Real d "Slope";
    algorithm
      d := (sign(m0) + sign(m1))*min(min(abs(m0), abs(m1)),
        abs(m0*h1 + m1*h0)/(h0 + h1)/2);
    end steffen;

    function rowsUpTo "How many rows of a table are not beyond x"
      input Real table[:, :] "Abscissas, growing, in column 1";
      input Real x "Where";
      output Integer count = 0 "0 to size(table, 1)";
    protected
      Integer high = size(table, 1) + 1;
      Integer middle;
    algorithm
      while high > count + 1 loop
        middle := integer((count + high)/2);
        if table[middle, 1] <= x then
          count := middle;
        else
          high := middle;
        end if;
      end while;
    end rowsUpTo;

    function roundingOf "What rounding may do to a time of a table"
      input Real table[:, :] "Times, growing, in column 1";
      input Real shift "Added to the times";
      input Real t "Now";
      output Real e "Small";
    algorithm
      e := 1e-14*(abs(t) + abs(shift) + abs(table[1, 1]) +
        abs(table[size(table, 1), 1]));
    end roundingOf;

    function nextEvent "When the next row comes that is an event"
      input Real table[:, :] "Times, growing, in column 1";
      input Real startTime "Before, the table gives 0";
      input Real shift "Added to the times";
      input Boolean isPeriodic "Whether it is repeated";
      input Integer timeEvents "Which rows are events";
      input Real t "Now";
      output Real next = Modelica.Constants.inf "After t";
    protected
      Integer n = size(table, 1);
      Real span = table[n, 1] - table[1, 1] "Of a period";
      Real e = roundingOf(table, shift, t);
      Integer cycle = 0 "Number of the period";
      Integer i "The first row that has not come";
    algorithm
      if t < startTime - 1e-14*(abs(t) + abs(startTime)) then
        next := startTime;
      elseif n > 1 then
        if isPeriodic and span > 0 then
          cycle := integer(floor((t + e - shift - table[1, 1])/span));
        end if;
        i := rowsUpTo(table, t + e - shift - cycle*span) + 1;
        if i > n and isPeriodic and span > 0 then
          cycle := cycle + 1;
          i := 2;
        end if;
        if timeEvents == kNoTimeEvents and i > 1 then
          i := max(i, n);
        elseif timeEvents == kAtDiscontinuities and i > 1 then
          while if i < n then table[i + 1, 1] > table[i, 1] else false loop
            i := i + 1;
          end while;
        end if;
        if i <= n then
          next := shift + cycle*span + table[i, 1];
        end if;
      end if;
    end nextEvent;

    function valueOverTime "A column of a table over time"
      input Real table[:, :] "Times, growing, in column 1, and values";
      input Real d[size(table, 1), :] "Slopes";
      input Integer c "Which column of the table";
      input Integer k "Which column of the slopes";
      input Real t "Now";
      input Real next "When the next row comes that is an event";
      input Real startTime "Before, y = 0";
      input Real shift "Added to the times";
      input Smoothness smoothness "Interpolation";
      input Extrapolation extrapolation "Extrapolation";
      input Integer timeEvents "Which rows are events";
      output Real y "Value";
    protected
      Integer n = size(table, 1);
      Real span = table[n, 1] - table[1, 1] "Of a period";
      Real e = roundingOf(table, shift, t);
      Boolean isPeriodic = extrapolation == Extrapolation.Periodic and span > 0;
      Real base = shift "Added to the times, in this period";
      Integer passed "How many rows have come";
    algorithm
      if next <= startTime then
        y := 0;
      elseif smoothness <> Smoothness.LinearSegments and
          smoothness <> Smoothness.ConstantSegments then
        y := value(table, d, c, k, t - shift, smoothness, extrapolation);
      elseif n == 1 then
        y := table[1, c];
      else
        // Rows come with the event that `next` was, whatever rounding says.
        if isPeriodic then
          base := shift +
            span*(ceil((next - e - shift - table[1, 1])/span) - 1);
        end if;
        passed := rowsUpTo(table, next - e - base);
        if timeEvents <> kAlways then
          passed := min(passed, rowsUpTo(table, t + e - base));
        end if;
        if isPeriodic then
          passed := max(passed, 1);
        end if;
        if isPeriodic and smoothness == Smoothness.ConstantSegments then
          y := table[passed, c];
        else
          y := valueInRow(table, d, c, k, passed,
            if isPeriodic then t - base else
            inside(table[1, 1], table[n, 1], t - base, extrapolation),
            smoothness);
        end if;
      end if;
    end valueOverTime;
  end Tables;
end Internal;
