model MotorTuning "A motor whose speed a PI controller brings to its set point"
  parameter Real L(unit = "H") = 1e-3;
  parameter Real R(unit = "Ohm") = 0.5;
  parameter Real k(unit = "N.m/A") = 0.05 "Torque by current, voltage by speed";
  parameter Real J(unit = "kg.m2") = 1e-4;
  parameter Real kp(unit = "V.s/rad") = 0.05 "Gain of the controller";
  parameter Real ki(unit = "V/rad") = 1;
  parameter Real set_speed(unit = "rad/s") = 100;
  Real i(unit = "A", start = 0, fixed = true);
  Real w(unit = "rad/s", start = 0, fixed = true) "Speed";
  Real sum(unit = "rad", start = 0, fixed = true);
  Real error(unit = "rad/s") = set_speed - w;
  Real u(unit = "V") = kp*error + ki*sum;
equation
  L*der(i) = u - R*i - k*w;
  J*der(w) = k*i;
  der(sum) = error;
  annotation(experiment(StopTime = 0.5, Tolerance = 1e-9));
end MotorTuning;
