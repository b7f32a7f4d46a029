model Rotation "Three elements of its matrix give all of a rotation, but not how far"
  parameter Real angle = 0.7;
  parameter Real axis[3] = {0.36, 0.48, 0.8};
  final parameter Real start[4] = cat(1, sin(angle/2)*axis, {cos(angle/2)});
  final parameter Real given[3, 3] = matrix(start);
  Real q[4](start = start) "Quaternion";
  Real w[4](each start = 0);
  Real R[3, 3] = matrix(q)*transpose(given);
  Real f;
  Real g[3];
  Real z "Solved for at the start";
  Real h(start = 0, fixed = true);

  function matrix
    input Real q[4];
    output Real T[3, 3] = [
      2*(q[1]^2 + q[4]^2) - 1, 2*(q[1]*q[2] + q[3]*q[4]), 2*(q[1]*q[3] - q[2]*q[4]);
      2*(q[2]*q[1] - q[3]*q[4]), 2*(q[2]^2 + q[4]^2) - 1, 2*(q[2]*q[3] + q[1]*q[4]);
      2*(q[3]*q[1] + q[2]*q[4]), 2*(q[3]*q[2] - q[1]*q[4]), 2*(q[3]^2 + q[4]^2) - 1];
  algorithm
    annotation(Inline = true);
  end matrix;
initial equation
  der(z) = 0;
equation
  der(q) = w;
  der(w) = f*q + {g[1], g[2], g[3], g[1] + g[2] + g[3]};
  q*q = 1;
  R[1, 1] = 1;
  R[2, 2] = 1;
  R[3, 3] = 1;
  der(z) = q[1] + q[2]*z;
  der(h) = z;
  annotation(experiment(StopTime = 1));
end Rotation;
