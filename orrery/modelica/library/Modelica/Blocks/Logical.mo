within Modelica.Blocks;
package Logical "Boolean signals: comparisons, memory, switches"
  import Modelica.Blocks.Interfaces.*;

  block And "Whether both inputs are true"
    extends BooleanSI2SO;
  equation
    y = u1 and u2;
  end And;

  block Or "Whether an input is true"
    extends BooleanSI2SO;
  equation
    y = u1 or u2;
  end Or;

  block Xor "Whether just one input is true"
    extends BooleanSI2SO;
  equation
    y = u1 <> u2;
  end Xor;

  block Nor "Whether no input is true"
    extends BooleanSI2SO;
  equation
    y = not (u1 or u2);
  end Nor;

  block Nand "Whether an input is false"
    extends BooleanSI2SO;
  equation
    y = not (u1 and u2);
  end Nand;

  block Not "Whether the input is false"
    extends BooleanSISO;
  equation
    y = not u;
  end Not;

  block Pre "u as it was before the current event iteration"
    extends BooleanSISO;
    parameter Boolean pre_u_start = false "u before the start";
  initial equation
    pre(u) = pre_u_start;
  equation
    y = pre(u);
  end Pre;

  block Edge "True at the instant when u becomes true"
    extends BooleanSISO;
    parameter Boolean pre_u_start = false "u before the start";
  initial equation
    pre(u) = pre_u_start;
  equation
    y = edge(u);
  end Edge;

  block FallingEdge "True at the instant when u becomes false"
    extends BooleanSISO;
    parameter Boolean pre_u_start = false "u before the start";
  protected
    Boolean not_u = not u;
  initial equation
    pre(not_u) = not pre_u_start;
  equation
    y = edge(not_u);
  end FallingEdge;

  block Change "True at the instant when u changes"
    extends BooleanSISO;
    parameter Boolean pre_u_start = false "u before the start";
  initial equation
    pre(u) = pre_u_start;
  equation
    y = change(u);
  end Change;

  block GreaterThreshold "Whether u is above threshold"
    extends partialBooleanThresholdComparison;
  equation
    y = u > threshold;
  end GreaterThreshold;

  block Greater "Whether u1 is above u2"
    extends partialBooleanComparison;
  equation
    y = u1 > u2;
  end Greater;

  block GreaterEqualThreshold "Whether u is not below threshold"
    extends partialBooleanThresholdComparison;
  equation
    y = u >= threshold;
  end GreaterEqualThreshold;

  block GreaterEqual "Whether u1 is not below u2"
    extends partialBooleanComparison;
  equation
    y = u1 >= u2;
  end GreaterEqual;

  block LessThreshold "Whether u is below threshold"
    extends partialBooleanThresholdComparison;
  equation
    y = u < threshold;
  end LessThreshold;

  block Less "Whether u1 is below u2"
    extends partialBooleanComparison;
  equation
    y = u1 < u2;
  end Less;

  block LessEqualThreshold "Whether u is not above threshold"
    extends partialBooleanThresholdComparison;
  equation
    y = u <= threshold;
  end LessEqualThreshold;

  block LessEqual "Whether u1 is not above u2"
    extends partialBooleanComparison;
  equation
    y = u1 <= u2;
  end LessEqual;

  block ZeroCrossing "True at the instant when u crosses zero, if enabled"
    extends BooleanSO;
    RealInput u "Signal whose crossings are seen";
    BooleanInput enable "Whether they are put out";
  protected
    Boolean isAbove = enable and u >= 0;
    Boolean wasEnabled(start = false, fixed = true);
  equation
    wasEnabled = pre(enable);
    y = wasEnabled and enable and change(isAbove);
  end ZeroCrossing;

  block LogicalSwitch "u1 if u2 is true, else u3"
    extends Modelica.Blocks.Icons.Block;
    BooleanInput u1 "First input";
    BooleanInput u2 "What decides";
    BooleanInput u3 "Third input";
    BooleanOutput y "Output";
  equation
    y = if u2 then u1 else u3;
  end LogicalSwitch;

  block Switch "u1 if u2 is true, else u3"
    extends Modelica.Blocks.Icons.Block;
    RealInput u1 "First input";
    BooleanInput u2 "What decides";
    RealInput u3 "Third input";
    RealOutput y "Output";
  equation
    y = if u2 then u1 else u3;
  end Switch;

  block Hysteresis "True from u > uHigh on, false from u < uLow on"
    extends Modelica.Blocks.Icons.Block;
    parameter Real uLow(start = 0) "Below it, y becomes false";
    parameter Real uHigh(start = 1) "Above it, y becomes true";
    parameter Boolean pre_y_start = false "y before the start";
    RealInput u "Input";
    BooleanOutput y "Output";
  initial equation
    pre(y) = pre_y_start;
  equation
    assert(uHigh > uLow, "cannot have a hysteresis: uHigh is not above uLow");
    y = not pre(y) and u > uHigh or pre(y) and u >= uLow;
  end Hysteresis;

  block OnOffController "On if u falls too low, off if it rises too high"
    extends Modelica.Blocks.Icons.Block;
    parameter Real bandwidth(start = 0.1)
      "Width of the band around reference in which nothing is switched";
    parameter Boolean pre_y_start = false "y before the start";
    RealInput reference "What u shall be";
    RealInput u "Measurement";
    BooleanOutput y "Whether it is on";
  initial equation
    pre(y) = pre_y_start;
  equation
    y = pre(y) and u < reference + bandwidth/2 or u < reference - bandwidth/2;
  end OnOffController;

  block TriggeredTrapezoid "A ramp up when u becomes true, down when false"
    extends Modelica.Blocks.Icons.Block;
    parameter Real amplitude = 1 "Height on top";
    parameter Modelica.Units.SI.Time rising(min = 0) = 0 "How long it rises";
    parameter Modelica.Units.SI.Time falling(min = 0) = rising
      "How long it falls";
    parameter Real offset = 0 "Output below";
    BooleanInput u "Whether it shall be on top";
    RealOutput y "Output";
  protected
    discrete Real y_last(start = offset, fixed = true) "y at the last change";
    discrete Real t_last(start = 0, fixed = true) "When it was";
    parameter Real slope_up = if rising > 0 then amplitude/rising else 0;
    parameter Real slope_down = if falling > 0 then amplitude/falling else 0;
  equation
    when {u, not u} then
      y_last = pre(y);
      t_last = time;
    end when;
    if u then
      y = if rising > 0 and time < t_last + (offset + amplitude - y_last)/
        max(slope_up, Modelica.Constants.small) then
        y_last + slope_up*(time - t_last) else offset + amplitude;
    else
      y = if falling > 0 and time < t_last + (y_last - offset)/
        max(slope_down, Modelica.Constants.small) then
        y_last - slope_down*(time - t_last) else offset;
    end if;
  end TriggeredTrapezoid;

  block Timer "The time since u became true, 0 if it is false"
    extends Modelica.Blocks.Icons.Block;
    BooleanInput u "What starts and stops it";
    RealOutput y(unit = "s") "Time";
  protected
    discrete Modelica.Units.SI.Time entryTime "When u became true";
  initial equation
    pre(entryTime) = 0;
  equation
    when u then
      entryTime = time;
    end when;
    y = if u then time - entryTime else 0.0;
  end Timer;

  block TimerAccumulating "How long u has been true since the last reset"
    extends Modelica.Blocks.Icons.Block;
    parameter Boolean use_reset = false "Whether there is an input 'reset'";
    parameter Modelica.Units.SI.Time y_start = 0 "Time at the start";
    BooleanInput u "Whether the time counts";
    BooleanInput reset if use_reset "Sets y to 0 when it becomes true";
    RealOutput y(unit = "s", start = y_start, fixed = true) "Time";
  protected
    BooleanInput reset_internal;
  equation
    connect(reset, reset_internal);
    if not use_reset then
      reset_internal = false;
    end if;
    der(y) = if u then 1 else 0;
    when reset_internal then
      reinit(y, 0);
    end when;
  end TimerAccumulating;

  block TerminateSimulation "Ends the run when its condition becomes true"
    BooleanOutput condition = false "When the run ends";
    parameter String terminationText = "... End condition reached"
      "What is said then";
  equation
    when condition then
      terminate(terminationText);
    end when;
  end TerminateSimulation;

  block RSFlipFlop "Memory: set by S, reset by R"
    extends Modelica.Blocks.Icons.Block;
    parameter Boolean Qini = false "Q at the start";
    BooleanInput S "Sets Q";
    BooleanInput R "Resets Q; it wins over S";
    BooleanOutput Q "Memory";
    BooleanOutput QI "Its opposite";
  initial equation
    pre(Q) = Qini;
  equation
    Q = not R and (S or pre(Q));
    QI = not Q;
  end RSFlipFlop;

  block MajorityLogic "Whether more than half of the inputs are true"
    extends BooleanVectorMISO;
  equation
    y = 2*sum(if u[i] then 1 else 0 for i in 1:nu) > nu;
  end MajorityLogic;
end Logical;
