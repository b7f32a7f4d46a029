model Elements "a" + "b"
  extends Base(final x = 1, each y.z(start = 2) = 3 "why", redeclare model
    M = N(p = 1), redeclare replaceable Q q[2] = r constrainedby S(t = 4),
    replaceable type T = U, v = break, break w, break connect(a.b, c[1]))
    annotation(Dialog(tab = "x"));
  inner outer World world;
  replaceable package Medium = Water constrainedby Fluid(n = 2) "medium"
    annotation(choicesAllMatching = true);
  redeclare final parameter Real k(unit = "N/m") = 2 if has_k "stiffness";
  redeclare model extends Inner(a = 1) "more"
    Real b;
  end Inner;
protected
  discrete Integer n(start = 0, fixed = true);
  parameter .A.B.C 'quoted name'[:, 2] = [1, 2; 3, 4], second = 5;
public
  input Boolean u;
  output Real y = if u then 1 else 0;
  annotation(experiment(StartTime = 0, StopTime = 1e1, Tolerance = 1e-6));
end Elements;
final block Last end Last;
