"""Models that tests share."""
import orrery

DECAY = """
model Decay "A quantity that fades"
  parameter Real k(unit="1/s", min=0, max=100) = 2 "Rate";
  Real x(unit="m", start=1, fixed=true) "What fades";
  Real same = x;
  Real minus = -x;
equation
  der(x) = -k*x;
end Decay;
"""

BALL = """
model Ball "A ball that bounces"
  parameter Real e(min=0, max=1) = 0.8 "Restitution";
  Real h(unit="m", start=1, fixed=true);
  Real v(unit="m/s", start=0, fixed=true);
  Boolean low = h < 0.5;
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
end Ball;
"""

ARRAYS = """
model Arrays
  type Mode = enumeration(Slow, Fast);
  parameter Integer n = 2;
  parameter Real T[2](each unit="K") = {300, 310} "Temperatures";
  parameter Real m[2,2] = {{1, 2}, {3, 4}};
  parameter Mode mode = Mode.Slow;
  parameter Boolean on = true;
  constant Real pi2 = 6.28;
  final parameter Real fixed_one = 1;
  Real x[n](each start=1, each fixed=true);
  Mode now = if time < 0.5 then Mode.Slow else mode;
  Real y = sum(T) + sum(m) + (if on then 1 else 0);
protected
  Real hidden = 2*y;
equation
  for i in 1:n loop
    der(x[i]) = -i*x[i];
  end for;
end Arrays;
"""

# No finite value from t = 1 s on.
FAILS = """
model Fails
  Real x(start=0, fixed=true);
  Real y = sqrt(1 - x);
equation
  der(x) = 1 + 0*y;
end Fails;
"""

# A chaotic motion that takes long to compute.
LONG = """
model Long
  Real x(start=1, fixed=true);
  Real y(start=0, fixed=true);
  Real z(start=0, fixed=true);
equation
  der(x) = 10*(y - x);
  der(y) = x*(28 - z) - y;
  der(z) = x*y - 8/3*z;
end Long;
"""


def decay():
    """der(x) = -k x from 1 m."""
    return orrery.modelica(DECAY)


def ball():
    """A ball that falls from 1 m."""
    return orrery.modelica(BALL)


def arrays():
    """Parameters of all types."""
    return orrery.modelica(ARRAYS)
