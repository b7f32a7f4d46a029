// A line as an object of C code.
package Lines
  constant String code = "
    #include <stdlib.h>
    void* line_new(double a, double b) {
      double* line = malloc(2*sizeof(double));
      line[0] = a;
      line[1] = b;
      return line;
    }
    void line_free(void* line) { free(line); }
    double line_at(void* line, double x) {
      return ((double*)line)[0] + ((double*)line)[1]*x;
    }";

  class Line
    extends ExternalObject;
    function constructor
      input Real a;
      input Real b;
      output Line line;
      external "C" line = line_new(a, b) annotation(Include = code);
    end constructor;
    function destructor
      input Line line;
      external "C" line_free(line) annotation(Include = code);
    end destructor;
  end Line;

  function at
    input Line line;
    input Real x;
    output Real y;
    external "C" y = line_at(line, x) annotation(Include = code);
  end at;

  model Two
    parameter Real slope = 2;
    Line first = Line(1, slope);
    parameter Line second = Line(10, -3);
    Real x = at(first, time);
    Real y = at(second, x);
  end Two;
end Lines;
