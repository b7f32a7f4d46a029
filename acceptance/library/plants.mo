package Plants
  model Tank "Case A5: the height stays at 5 m"
    Orrery.Plants.WaterTank tank(h_start = 5);
  equation
    tank.inflow = 2*sqrt(2*9.81*5);
    annotation(experiment(StopTime = 100));
  end Tank;

  model Filling "der(h) = -0.1*sqrt(2*g*h): sqrt(h) falls evenly"
    Orrery.Plants.WaterTank tank(h_start = 5);
  equation
    tank.inflow = 0;
    annotation(experiment(StopTime = 5));
  end Filling;

  model Circle "Case A8: once around a quarter of a circle"
    constant Real omega = 2*Modelica.Constants.pi/120;
    Orrery.Plants.RigidBody6DOF body(mass = 1.5,
      moment_of_inertia = diagonal({13.2e-3, 12.8e-3, 24.6e-3}),
      velocity_start = {10*omega, 0, 0}, position_start = {0, 0, 0},
      omega_start = {0, 0, omega});
    Orrery.Plants.DirectionCosinesToEuler euler;
  equation
    body.forces_body = {0, 1.5*omega*10*omega, 0};
    body.moments_body = {0, 0, 0};
    connect(body.dcm, euler.dcm);
    annotation(experiment(StopTime = 30, Tolerance = 1e-12));
  end Circle;

  model SpinUp "Case A9: from rest"
    constant Real pi = Modelica.Constants.pi;
    Orrery.Plants.RigidBody6DOF body(mass = 1.5,
      moment_of_inertia = diagonal({13.2e-3, 12.8e-3, 24.6e-3}));
    Orrery.Plants.DirectionCosinesToEuler euler;
  equation
    body.forces_body = zeros(3);
    body.moments_body = {0, 0, 24.6e-3*pi/30^2};
    connect(body.dcm, euler.dcm);
    annotation(experiment(StopTime = 30, Tolerance = 1e-12));
  end SpinUp;

  model Tumble "Free rotation: energy and angular momentum are kept"
    Orrery.Plants.RigidBody6DOF body(mass = 1,
      moment_of_inertia = diagonal({1, 2, 3}), omega_start = {0.1, 1, 0.1},
      dcm_start = [0, -1, 0; 1, 0, 0; 0, 0, 1]);
    Real energy = body.omega_body*diagonal({1, 2, 3})*body.omega_body/2;
    Real momentum[3] = body.dcm*diagonal({1, 2, 3})*body.omega_body;
  equation
    body.forces_body = zeros(3);
    body.moments_body = zeros(3);
    annotation(experiment(StopTime = 20, Tolerance = 1e-12));
  end Tumble;

  model Attitude "From angles to the rotation and back"
    Orrery.Plants.EulerToDirectionCosines rotation;
    Orrery.Plants.DirectionCosinesToEuler euler;
  equation
    rotation.yaw = 0.3;
    rotation.pitch = -0.4;
    rotation.roll = 2.5;
    connect(rotation.dcm, euler.dcm);
  end Attitude;

  model Motor "MoDyPy's guide: 3.5 V at rest"
    Orrery.Plants.DCMotor motor(motor_constant = 789.E-6, resistance = 43.3E-3,
      inductance = 1.9E-3, moment_of_inertia = 5.284E-6);
    Orrery.Plants.Propeller propeller(thrust_coefficient = 0.09,
      power_coefficient = 0.04, diameter = 8*25.4E-3);
    Orrery.Plants.Thruster thruster(axis = {0, 0, -1}, arm = {0.3, 0.2, 0},
      direction = -1);
  equation
    motor.voltage = 3.5;
    propeller.density = 1.29;
    connect(motor.speed_rps, propeller.speed_rps);
    connect(propeller.torque, motor.external_torque);
    connect(propeller.thrust, thruster.thrust);
    connect(propeller.torque, thruster.torque);
    annotation(experiment(StopTime = 20, Tolerance = 1e-10));
  end Motor;
end Plants;
