// Overdetermined types that are no records (specification 3.6, section 9.4.1).
package Types
  type Angle
    extends Real;
    function equalityConstraint
      input Angle a, b;
      output Real residue[0];
    algorithm
    end equalityConstraint;
  end Angle;

  connector T
    Real v;
    flow Real i;
    Angle th;
  end T;

  model Src
    T t;
  equation
    Connections.potentialRoot(t.th);
    t.v = 1;
    if Connections.isRoot(t.th) then
      t.th = 5*time;
    end if;
  end Src;

  model Line
    T a, b;
  equation
    Connections.branch(a.th, b.th);
    a.th = b.th;
    a.i + b.i = 0;
    a.v - b.v = 2*a.i;
  end Line;

  model Ring
    Src s;
    Line x, y;
  equation
    connect(s.t, x.a);
    connect(x.b, y.a);
    connect(y.b, s.t);
  end Ring;

  model TwoSources "One of them is the root, the other follows"
    Src s, r;
    Line x[2];
  equation
    connect(s.t, x[1].a);
    connect(s.t, x[2].a);
    connect(x[1].b, r.t);
    connect(x[2].b, r.t);
  end TwoSources;

  type Matrix = Real[2, 2];

  type Rotation
    extends Matrix;
    function equalityConstraint
      input Rotation a, b;
      output Real residue[1];
    algorithm
      residue := {a[1, 1]*b[1, 2] - a[1, 2]*b[1, 1]};
    end equalityConstraint;
  end Rotation;

  connector Frame
    Real r;
    flow Real f;
    Rotation R;
  end Frame;

  model Ground
    Frame a;
  equation
    Connections.root(a.R);
    a.R = {{cos(time), sin(time)}, {-sin(time), cos(time)}};
    a.r = 0;
  end Ground;

  model Bar
    parameter Real angle;
    Frame a, b;
  equation
    Connections.branch(a.R, b.R);
    b.R = {{cos(angle), sin(angle)}, {-sin(angle), cos(angle)}}*a.R;
    a.f + b.f = 0;
    a.r = b.r;
  end Bar;

  model Hinge "By an angle that closes the loop"
    Frame a, b;
    Real angle(start = 0.5);
  equation
    Connections.branch(a.R, b.R);
    b.R = {{cos(angle), sin(angle)}, {-sin(angle), cos(angle)}}*a.R;
    a.f + b.f = 0;
    b.f = 0.1;
  end Hinge;

  model Closed
    Ground ground;
    Bar x(angle = 0.2), y(angle = 0.3);
    Hinge hinge(angle(start = -0.4));
  equation
    connect(ground.a, x.a);
    connect(x.b, y.a);
    connect(y.b, hinge.a);
    connect(hinge.b, ground.a);
  end Closed;

  model Bus "Types in an array of connectors"
    model Node
      T t[2];
    equation
      Connections.root(t[1].th);
      Connections.root(t[2].th);
      t.th = {time, 2*time};
      t.v = {1, 2};
    end Node;
    Node n;
    Line l[2], m[2];
  equation
    connect(n.t, l.a);
    connect(l.b, m.a);
    connect(m.b, n.t);
  end Bus;
end Types;
