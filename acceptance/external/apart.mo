package Apart "C code that does not come back"
  function f "Ends its process where x is above 0.5"
    input Real x;
    input Integer how;
    output Real y;
    external "C" y = leave(x, how) annotation(Include = "
      #include <signal.h>
      #include <stdlib.h>
      #include <unistd.h>
      static double deep(volatile double* x) {
        volatile double more[1000];
        more[0] = *x;
        return deep(more) + more[0];
      }
      double leave(double x, int how) {
        if (x > 0.5) {
          volatile int zero = 0;
          if (how == 1) exit(0);
          if (how == 2) _exit(3);
          if (how == 3) abort();
          if (how == 4) *(volatile int*)0 = 1;
          if (how == 5) return 1 / zero;
          if (how == 6) raise(SIGKILL);
          if (how == 7) return deep(&x);
        }
        return 2 * x;
      }");
  end f;

  model M
    parameter Integer how = 1;
    parameter Real stop = 1 "Where x stops";
    Real x(start = 0, fixed = true);
    Real y = f(x, how);
  equation
    der(x) = if x < stop then 1 else 0;
    annotation(experiment(StopTime = 1));
  end M;

  function touch "Leaves a trace that it ran"
    input Real x;
    output Real y;
    external "C" y = touch(x) annotation(Include = "
      #include <stdlib.h>
      static double touch(double x) { return system(\"touch ran\") + x; }");
  end touch;

  model Traces
    parameter Real p = touch(2);
    Real x(start = p, fixed = true);
    Real v[integer(touch(2))] = {x, touch(x)};
  equation
    der(x) = -touch(x);
  end Traces;

  model Writes
    Real x(start = 0, fixed = true);
  initial algorithm
    Modelica.Utilities.Streams.print("x", "written");
  equation
    der(x) = 1;
  end Writes;
end Apart;
