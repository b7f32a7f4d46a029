model DcMotor "A motor whose speed a sampled PI controller holds"
  parameter Real L(unit = "H") = 1e-3;
  parameter Real R(unit = "Ohm") = 0.5;
  parameter Real k(unit = "N.m/A") = 0.05 "Torque by current, voltage by speed";
  parameter Real J(unit = "kg.m2") = 1e-4;
  parameter Real kp(unit = "V.s/rad") = 0.05;
  parameter Real ki(unit = "V/rad") = 0.5;
  parameter Real Ts(unit = "s") = 0.01 "Sampling period";
  parameter Real set_speed(unit = "rad/s") = 100;
  Real i(unit = "A", start = 0, fixed = true);
  Real w(unit = "rad/s", start = 0, fixed = true) "Speed";
  Real load(unit = "N.m") = if time < 0.5 then 0 else 0.05;
  discrete Real u(unit = "V", start = 0, fixed = true) "Voltage, held";
  discrete Real error(unit = "rad/s", start = 0, fixed = true);
  discrete Real sum(unit = "rad", start = 0, fixed = true);
equation
  L*der(i) = u - R*i - k*w;
  J*der(w) = k*i - load;
  when sample(0, Ts) then
    error = set_speed - w;
    sum = pre(sum) + Ts*error;
    u = kp*error + ki*sum;
  end when;
  annotation(experiment(StopTime = 1, Tolerance = 1e-10));
end DcMotor;
