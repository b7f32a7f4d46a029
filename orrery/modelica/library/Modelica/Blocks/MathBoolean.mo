within Modelica.Blocks;
package MathBoolean "Functions of Boolean signals"
  import Modelica.Blocks.Interfaces.*;

  block And "Whether all inputs are true"
    extends PartialBooleanMISO;
  equation
    y = Modelica.Math.BooleanVectors.allTrue(u);
  end And;

  block Or "Whether an input is true"
    extends PartialBooleanMISO;
  equation
    y = Modelica.Math.BooleanVectors.anyTrue(u);
  end Or;

  block Xor "Whether just one input is true"
    extends PartialBooleanMISO;
  equation
    y = Modelica.Math.BooleanVectors.oneTrue(u);
  end Xor;

  block Nand "Whether an input is false"
    extends PartialBooleanMISO;
  equation
    y = not Modelica.Math.BooleanVectors.allTrue(u);
  end Nand;

  block Nor "Whether no input is true"
    extends PartialBooleanMISO;
  equation
    y = not Modelica.Math.BooleanVectors.anyTrue(u);
  end Nor;

  block Not "Whether the input is false"
    extends BooleanSISO;
  equation
    y = not u;
  end Not;

  block RisingEdge "True at the instant when u becomes true"
    extends BooleanSISO;
    parameter Boolean pre_u_start = false "u before the start";
  initial equation
    pre(u) = pre_u_start;
  equation
    y = edge(u);
  end RisingEdge;

  block FallingEdge "True at the instant when u becomes false"
    extends Modelica.Blocks.Logical.FallingEdge;
  end FallingEdge;

  block ChangingEdge "True at the instant when u changes"
    extends BooleanSISO;
    parameter Boolean pre_u_start = false "u before the start";
  initial equation
    pre(u) = pre_u_start;
  equation
    y = change(u);
  end ChangingEdge;

  block OnDelay "u, but true only after delayTime of u being true"
    extends BooleanSISO;
    parameter Modelica.Units.SI.Time delayTime "Delay";
  protected
    discrete Modelica.Units.SI.Time t_next "When y becomes true";
  initial equation
    pre(u) = false;
    pre(t_next) = -1;
  equation
    when u then
      t_next = time + delayTime;
    end when;
    y = u and time >= t_next;
  end OnDelay;

  block MultiSwitch "The value that belongs to the first input that is true"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer nu(min = 0) = 0 "Number of inputs";
    parameter Boolean expr[nu] = fill(false, nu)
      "y = expr[i] if u[i] is the first";
    parameter Boolean use_pre_as_default = true
      "Whether y stays as it is if no input is true";
    parameter Boolean y_default = false
      "y if no input is true and it does not stay";
    BooleanInput u[nu] "Inputs";
    BooleanOutput y "Output";
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
end MathBoolean;
