within Modelica.Blocks;
package Routing "Signals into vectors and out of them"
  import Modelica.Blocks.Interfaces.*;

  block RealReplicator "y[i] = u for all i"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer nout(min = 1) = 1 "Number of outputs";
    RealInput u "Input";
    RealOutput y[nout] "Outputs";
  equation
    y = fill(u, nout);
  end RealReplicator;

  block RealVectorReplicator "Each row of y is u"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer nin(min = 1) = 1 "Number of inputs";
    parameter Integer nout(min = 1) = 1 "Number of rows";
    RealInput u[nin] "Inputs";
    RealOutput y[nout, nin] "Outputs";
  equation
    for i in 1:nout loop
      y[i, :] = u;
    end for;
  end RealVectorReplicator;

  block RealPassThrough "y = u"
    extends Modelica.Blocks.Icons.Block;
    RealInput u "Input";
    RealOutput y "Output";
  equation
    y = u;
  end RealPassThrough;

  block IntegerReplicator "y[i] = u for all i"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer nout(min = 1) = 1 "Number of outputs";
    IntegerInput u "Input";
    IntegerOutput y[nout] "Outputs";
  equation
    y = fill(u, nout);
  end IntegerReplicator;

  block IntegerVectorReplicator "Each row of y is u"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer nin(min = 1) = 1 "Number of inputs";
    parameter Integer nout(min = 1) = 1 "Number of rows";
    IntegerInput u[nin] "Inputs";
    IntegerOutput y[nout, nin] "Outputs";
  equation
    for i in 1:nout loop
      y[i, :] = u;
    end for;
  end IntegerVectorReplicator;

  block IntegerPassThrough "y = u"
    extends Modelica.Blocks.Icons.Block;
    IntegerInput u "Input";
    IntegerOutput y "Output";
  equation
    y = u;
  end IntegerPassThrough;

  block BooleanReplicator "y[i] = u for all i"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer nout(min = 1) = 1 "Number of outputs";
    BooleanInput u "Input";
    BooleanOutput y[nout] "Outputs";
  equation
    y = fill(u, nout);
  end BooleanReplicator;

  block BooleanVectorReplicator "Each row of y is u"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer nin(min = 1) = 1 "Number of inputs";
    parameter Integer nout(min = 1) = 1 "Number of rows";
    BooleanInput u[nin] "Inputs";
    BooleanOutput y[nout, nin] "Outputs";
  equation
    for i in 1:nout loop
      y[i, :] = u;
    end for;
  end BooleanVectorReplicator;

  block BooleanPassThrough "y = u"
    extends Modelica.Blocks.Icons.Block;
    BooleanInput u "Input";
    BooleanOutput y "Output";
  equation
    y = u;
  end BooleanPassThrough;

  block Replicator = RealReplicator "The name of RealReplicator in version 3";

  block ExtractSignal "y[i] = u[extract[i]]"
    extends MIMO;
    parameter Integer extract[nout] = 1:nout "Which inputs are put out";
  equation
    for i in 1:nout loop
      y[i] = u[extract[i]];
    end for;
  end ExtractSignal;

  block Extractor "y = u[index], with the index as a signal"
    extends MISO;
    parameter Boolean allowOutOfRange = false
      "Whether index may be outside of 1 to nin";
    parameter Real outOfRangeValue = 1e10 "Output if it is outside";
    IntegerInput index "Which input is put out";
  protected
    Real k[nin] "1 for that input";
  equation
    for i in 1:nin loop
      k[i] = if index == i then 1 else 0;
    end for;
    y = if index >= 1 and index <= nin then k*u else outOfRangeValue;
    assert(allowOutOfRange or index >= 1 and index <= nin,
      "cannot extract a signal: there is none of that index");
  end Extractor;

  block Multiplex2 "Two vectors into one"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1 = 1 "Size of u1";
    parameter Integer n2 = 1 "Size of u2";
    RealInput u1[n1] "Part 1";
    RealInput u2[n2] "Part 2";
    RealOutput y[n1 + n2] "All of them";
  equation
    y = cat(1, u1, u2);
  end Multiplex2;

  block Multiplex3 "Three vectors into one"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1 = 1 "Size of u1";
    parameter Integer n2 = 1 "Size of u2";
    parameter Integer n3 = 1 "Size of u3";
    RealInput u1[n1] "Part 1";
    RealInput u2[n2] "Part 2";
    RealInput u3[n3] "Part 3";
    RealOutput y[n1 + n2 + n3] "All of them";
  equation
    y = cat(1, u1, u2, u3);
  end Multiplex3;

  block Multiplex4 "Four vectors into one"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1 = 1 "Size of u1";
    parameter Integer n2 = 1 "Size of u2";
    parameter Integer n3 = 1 "Size of u3";
    parameter Integer n4 = 1 "Size of u4";
    RealInput u1[n1] "Part 1";
    RealInput u2[n2] "Part 2";
    RealInput u3[n3] "Part 3";
    RealInput u4[n4] "Part 4";
    RealOutput y[n1 + n2 + n3 + n4] "All of them";
  equation
    y = cat(1, u1, u2, u3, u4);
  end Multiplex4;

  block Multiplex5 "Five vectors into one"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1 = 1 "Size of u1";
    parameter Integer n2 = 1 "Size of u2";
    parameter Integer n3 = 1 "Size of u3";
    parameter Integer n4 = 1 "Size of u4";
    parameter Integer n5 = 1 "Size of u5";
    RealInput u1[n1] "Part 1";
    RealInput u2[n2] "Part 2";
    RealInput u3[n3] "Part 3";
    RealInput u4[n4] "Part 4";
    RealInput u5[n5] "Part 5";
    RealOutput y[n1 + n2 + n3 + n4 + n5] "All of them";
  equation
    y = cat(1, u1, u2, u3, u4, u5);
  end Multiplex5;

  block Multiplex6 "Six vectors into one"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1 = 1 "Size of u1";
    parameter Integer n2 = 1 "Size of u2";
    parameter Integer n3 = 1 "Size of u3";
    parameter Integer n4 = 1 "Size of u4";
    parameter Integer n5 = 1 "Size of u5";
    parameter Integer n6 = 1 "Size of u6";
    RealInput u1[n1] "Part 1";
    RealInput u2[n2] "Part 2";
    RealInput u3[n3] "Part 3";
    RealInput u4[n4] "Part 4";
    RealInput u5[n5] "Part 5";
    RealInput u6[n6] "Part 6";
    RealOutput y[n1 + n2 + n3 + n4 + n5 + n6] "All of them";
  equation
    y = cat(1, u1, u2, u3, u4, u5, u6);
  end Multiplex6;

  block DeMultiplex2 "One vector into two"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1 = 1 "Size of y1";
    parameter Integer n2 = 1 "Size of y2";
    RealInput u[n1 + n2] "All of them";
    RealOutput y1[n1] "Part 1";
    RealOutput y2[n2] "Part 2";
  equation
    u = cat(1, y1, y2);
  end DeMultiplex2;

  block DeMultiplex3 "One vector into three"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1 = 1 "Size of y1";
    parameter Integer n2 = 1 "Size of y2";
    parameter Integer n3 = 1 "Size of y3";
    RealInput u[n1 + n2 + n3] "All of them";
    RealOutput y1[n1] "Part 1";
    RealOutput y2[n2] "Part 2";
    RealOutput y3[n3] "Part 3";
  equation
    u = cat(1, y1, y2, y3);
  end DeMultiplex3;

  block DeMultiplex4 "One vector into four"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1 = 1 "Size of y1";
    parameter Integer n2 = 1 "Size of y2";
    parameter Integer n3 = 1 "Size of y3";
    parameter Integer n4 = 1 "Size of y4";
    RealInput u[n1 + n2 + n3 + n4] "All of them";
    RealOutput y1[n1] "Part 1";
    RealOutput y2[n2] "Part 2";
    RealOutput y3[n3] "Part 3";
    RealOutput y4[n4] "Part 4";
  equation
    u = cat(1, y1, y2, y3, y4);
  end DeMultiplex4;

  block DeMultiplex5 "One vector into five"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1 = 1 "Size of y1";
    parameter Integer n2 = 1 "Size of y2";
    parameter Integer n3 = 1 "Size of y3";
    parameter Integer n4 = 1 "Size of y4";
    parameter Integer n5 = 1 "Size of y5";
    RealInput u[n1 + n2 + n3 + n4 + n5] "All of them";
    RealOutput y1[n1] "Part 1";
    RealOutput y2[n2] "Part 2";
    RealOutput y3[n3] "Part 3";
    RealOutput y4[n4] "Part 4";
    RealOutput y5[n5] "Part 5";
  equation
    u = cat(1, y1, y2, y3, y4, y5);
  end DeMultiplex5;

  block DeMultiplex6 "One vector into six"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n1 = 1 "Size of y1";
    parameter Integer n2 = 1 "Size of y2";
    parameter Integer n3 = 1 "Size of y3";
    parameter Integer n4 = 1 "Size of y4";
    parameter Integer n5 = 1 "Size of y5";
    parameter Integer n6 = 1 "Size of y6";
    RealInput u[n1 + n2 + n3 + n4 + n5 + n6] "All of them";
    RealOutput y1[n1] "Part 1";
    RealOutput y2[n2] "Part 2";
    RealOutput y3[n3] "Part 3";
    RealOutput y4[n4] "Part 4";
    RealOutput y5[n5] "Part 5";
    RealOutput y6[n6] "Part 6";
  equation
    u = cat(1, y1, y2, y3, y4, y5, y6);
  end DeMultiplex6;

  block Multiplex "Any number of signals into one vector"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n(min = 0) = 0 "Number of signals";
    RealInput u[n] "Inputs";
    RealOutput y[n] "All of them";
  equation
    y = u;
  end Multiplex;

  block DeMultiplex "One vector into any number of signals"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n(min = 0) = 0 "Number of signals";
    RealInput u[n] "All of them";
    RealOutput y[n] "Outputs";
  equation
    y = u;
  end DeMultiplex;
end Routing;
