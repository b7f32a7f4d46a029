model Shape "Parameters that decide what there is"
  model Part
    parameter Integer order = 1;
    Real x[order](each start = 1, each fixed = true);
  equation
    for i in 1:order loop
      der(x[i]) = -i*x[i];
    end for;
  end Part;

  parameter Integer n = 3;
  final parameter Integer m = n + 1;
  parameter Boolean extra = false;
  parameter Real k = 2;
  Part p;
  Part e if extra;
  Real u[n] = {k*i for i in 1:n};
  Real total = sum(u) + m;
  Real s;
equation
  if extra then
    s = total;
  else
    s = -1;
  end if;
end Shape;
