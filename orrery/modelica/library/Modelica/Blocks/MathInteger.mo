within Modelica.Blocks;
package MathInteger "Functions of Integer signals"
  import Modelica.Blocks.Interfaces.*;

  block Sum "y = k[1]*u[1] + ... + k[nu]*u[nu]"
    extends PartialIntegerMISO;
    parameter Integer k[nu] = fill(1, nu) "Factors";
  equation
    if nu > 0 then
      y = k*u;
    else
      y = 0;
    end if;
  end Sum;

  block Product "y = u[1]*...*u[nu]"
    extends PartialIntegerMISO;
  equation
    if nu > 0 then
      y = product(u);
    else
      y = 0;
    end if;
  end Product;

  block MultiSwitch "The value that belongs to the first input that is true"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer nu(min = 0) = 0 "Number of inputs";
    parameter Integer expr[nu] = fill(0, nu)
      "y = expr[i] if u[i] is the first";
    parameter Boolean use_pre_as_default = true
      "Whether y stays as it is if no input is true";
    parameter Integer y_default = 0
      "y if no input is true and it does not stay";
    BooleanInput u[nu] "Inputs";
    IntegerOutput y "Output";
  protected
    Integer first = Modelica.Math.BooleanVectors.firstTrueIndex(u)
      "The first input that is true; 0 if there is none";
  initial equation
    if use_pre_as_default then
      pre(y) = y_default;
    end if;
  equation
    if use_pre_as_default then
      y = if first == 0 then pre(y) else expr[max(first, 1)];
    else
      y = if first == 0 then y_default else expr[max(first, 1)];
    end if;
  end MultiSwitch;

  block TriggeredAdd "Adds u to y whenever trigger becomes true"
    extends Modelica.Blocks.Icons.Block;
    parameter Boolean use_reset = false "Whether there is an input 'reset'";
    parameter Boolean use_set = false "Whether there is an input 'set'";
    parameter Integer y_start = 0 "y at the start, and after a reset";
    IntegerInput u "What is added";
    BooleanInput trigger "When it is added";
    BooleanInput reset if use_reset "When it becomes true, y is set anew";
    IntegerInput set if use_reset and use_set "What y is set to";
    IntegerOutput y "Sum";
  protected
    BooleanInput local_reset;
    IntegerInput local_set;
  initial equation
    pre(y) = y_start;
  equation
    connect(reset, local_reset);
    connect(set, local_set);
    if not use_reset then
      local_reset = false;
    end if;
    if not (use_reset and use_set) then
      local_set = y_start;
    end if;
    when {trigger, local_reset} then
      y = if local_reset then local_set else pre(y) + u;
    end when;
  end TriggeredAdd;
end MathInteger;
