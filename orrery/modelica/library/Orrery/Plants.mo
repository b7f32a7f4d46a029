within Orrery;
package Plants "Things to be controlled: motors, tanks, rigid bodies"
  import Modelica.Blocks.Interfaces.*;
  import Modelica.Units.SI;
  import Modelica.Constants.pi;

  block WaterTank "A tank with an inlet and, at its bottom, an outlet"
    extends Modelica.Blocks.Icons.Block;
    parameter SI.Area inletArea = 0.01 "Cross-section of the inlet";
    parameter SI.Area outletArea = 0.02 "Cross-section of the outlet";
    parameter SI.Area tankArea = 0.2 "Cross-section of the tank";
    parameter SI.Acceleration g = 9.81 "Acceleration of free fall";
    parameter SI.Height h_start = 5 "Height at the start";
    RealInput inflow(unit = "m/s") "Speed of the water in the inlet";
    RealOutput height(unit = "m", start = h_start, fixed = true)
      "Height of the water";
    RealOutput outflow(unit = "m/s") "Speed of the water in the outlet";
  equation
    // Torricelli's law.
    outflow = sqrt(2*g*max(height, 0));
    tankArea*der(height) = inletArea*inflow - outletArea*outflow;
  end WaterTank;

  block DCMotor "A motor for direct current, with a load"
    extends Modelica.Blocks.Icons.Block;
    parameter SI.ElectricalTorqueConstant motor_constant(start = 1)
      "Torque over current, and voltage over speed";
    parameter SI.Resistance resistance(start = 1) "Of the coil";
    parameter SI.Inductance inductance(start = 1) "Of the coil";
    parameter SI.MomentOfInertia moment_of_inertia(start = 1)
      "Of the rotor and the load";
    parameter SI.AngularVelocity omega_start = 0 "Speed at the start";
    parameter SI.Current current_start = 0 "Current at the start";
    RealInput voltage(unit = "V") "At the terminals";
    RealInput external_torque(unit = "N.m") "Of the load, against the motor";
    RealOutput speed_rps(unit = "1/s") "Revolutions per second";
    RealOutput torque(unit = "N.m") "Of the motor";
    SI.AngularVelocity omega(start = omega_start, fixed = true) "Speed";
    SI.Current current(start = current_start, fixed = true) "Current";
  equation
    voltage = motor_constant*omega + resistance*current +
      inductance*der(current);
    torque = motor_constant*current;
    moment_of_inertia*der(omega) = torque - external_torque;
    speed_rps = omega/(2*pi);
  end DCMotor;

  block Propeller "Thrust, torque and power of a propeller"
    extends Modelica.Blocks.Icons.Block;
    parameter Real thrust_coefficient = 0.1 "Thrust over rho*n^2*D^4";
    parameter Real power_coefficient = 0.04 "Power over rho*n^3*D^5";
    parameter SI.Diameter diameter(start = 1) "Diameter D";
    RealInput speed_rps(unit = "1/s") "Revolutions per second n";
    RealInput density(unit = "kg/m3") "Density of the air, rho";
    RealOutput thrust(unit = "N") "Thrust";
    RealOutput torque(unit = "N.m") "Torque that is needed";
    RealOutput power(unit = "W") "Power that is needed";
  equation
    thrust = thrust_coefficient*density*diameter^4*speed_rps^2;
    torque = power_coefficient/(2*pi)*density*diameter^5*speed_rps^2;
    power = power_coefficient*density*diameter^5*
      noEvent(abs(speed_rps))*speed_rps^2;
  end Propeller;

  block Thruster "Force and moment of a propeller at its place on a body"
    extends Modelica.Blocks.Icons.Block;
    parameter Real axis[3] = {0, 0, -1} "Direction of the thrust, of length 1";
    parameter SI.Position arm[3] = {0, 0, 0} "From the centre of gravity";
    parameter Real direction = 1
      "1 or -1: which way the moment of the torque points along the axis";
    RealInput thrust(unit = "N") "Thrust";
    RealInput torque(unit = "N.m") "Torque";
    RealOutput thrust_vector[3](each unit = "N") "Force on the body";
    RealOutput torque_vector[3](each unit = "N.m") "Moment on the body";
  equation
    thrust_vector = axis*thrust;
    torque_vector = direction*axis*torque + cross(arm, thrust_vector);
  end Thruster;

  block RigidBody6DOF "A rigid body over a flat earth, free to move and turn"
    extends Modelica.Blocks.Icons.Block;
    parameter SI.Mass mass(start = 1) "Mass";
    parameter SI.MomentOfInertia moment_of_inertia[3, 3] = identity(3)
      "In the axes of the body";
    parameter SI.Velocity velocity_start[3] = zeros(3)
      "Velocity over the earth at the start";
    parameter SI.Position position_start[3] = zeros(3)
      "Position over the earth at the start";
    parameter Real dcm_start[3, 3] = identity(3)
      "From the body's axes to the earth's at the start";
    parameter SI.AngularVelocity omega_start[3] = zeros(3)
      "Angular velocity in the axes of the earth at the start";
    RealInput forces_body[3](each unit = "N") "Forces in the body's axes";
    RealInput moments_body[3](each unit = "N.m") "Moments in the body's axes";
    RealOutput velocity_earth[3](each unit = "m/s", start = velocity_start,
      each fixed = true) "Velocity over the earth: north, east, down";
    RealOutput position_earth[3](each unit = "m", start = position_start,
      each fixed = true) "Position over the earth: north, east, down";
    RealOutput dcm[3, 3] "Direction cosines, from the body to the earth";
    RealOutput velocity_body[3](each unit = "m/s")
      "Velocity in the body's axes: front, right, down";
    RealOutput omega_body[3](each unit = "rad/s",
      start = transpose(dcm_start)*omega_start, each fixed = true)
      "Angular velocity in the body's axes";
    Real q[4](start = Internal.quaternion(dcm_start), each fixed = true)
      "Quaternion of the rotation, its scalar part first";
  protected
    parameter Real inverse_inertia[3, 3] =
      Modelica.Math.Matrices.inv(moment_of_inertia);
    Real drift = 1 - q*q "0 but for the errors of integration";
    constant SI.Frequency pull = 1 "How fast the drift is taken back";
  equation
    // Newton in the earth's axes, Euler in the body's.
    mass*der(velocity_earth) = dcm*forces_body;
    der(position_earth) = velocity_earth;
    der(omega_body) = inverse_inertia*(moments_body -
      cross(omega_body, moment_of_inertia*omega_body));
    der(q[1]) = -(q[2:4]*omega_body)/2 + pull*drift*q[1];
    der(q[2:4]) = (q[1]*omega_body + cross(q[2:4], omega_body))/2 +
      pull*drift*q[2:4];
    dcm = Internal.directionCosines(q);
    velocity_body = transpose(dcm)*velocity_earth;
  end RigidBody6DOF;

  block DirectionCosinesToEuler "Yaw, pitch and roll of a rotation"
    extends Modelica.Blocks.Icons.Block;
    RealInput dcm[3, 3] "Direction cosines, from the body to the earth";
    RealOutput yaw(unit = "rad") "About the axis that points down, first";
    RealOutput pitch(unit = "rad") "About the axis to the right, second";
    RealOutput roll(unit = "rad") "About the axis to the front, third";
  equation
    yaw = atan2(dcm[2, 1], dcm[1, 1]);
    pitch = atan2(-dcm[3, 1], sqrt(dcm[1, 1]^2 + dcm[2, 1]^2));
    roll = atan2(dcm[3, 2], dcm[3, 3]);
  end DirectionCosinesToEuler;

  block EulerToDirectionCosines "The rotation by yaw, pitch and roll"
    extends Modelica.Blocks.Icons.Block;
    RealInput yaw(unit = "rad") "About the axis that points down, first";
    RealInput pitch(unit = "rad") "About the axis to the right, second";
    RealInput roll(unit = "rad") "About the axis to the front, third";
    RealOutput dcm[3, 3] "Direction cosines, from the body to the earth";
  equation
    dcm = [cos(yaw), -sin(yaw), 0; sin(yaw), cos(yaw), 0; 0, 0, 1]*
      [cos(pitch), 0, sin(pitch); 0, 1, 0; -sin(pitch), 0, cos(pitch)]*
      [1, 0, 0; 0, cos(roll), -sin(roll); 0, sin(roll), cos(roll)];
  end EulerToDirectionCosines;

  package Internal "Not for users"
    function directionCosines "The rotation of a quaternion of any length"
      input Real q[4] "Quaternion, its scalar part first";
      output Real dcm[3, 3] "Direction cosines, from the body to the earth";
    protected
      Real s = 2/(q*q);
    algorithm
      dcm := [1 - s*(q[3]^2 + q[4]^2), s*(q[2]*q[3] - q[1]*q[4]),
        s*(q[2]*q[4] + q[1]*q[3]);
        s*(q[2]*q[3] + q[1]*q[4]), 1 - s*(q[2]^2 + q[4]^2),
        s*(q[3]*q[4] - q[1]*q[2]);
        s*(q[2]*q[4] - q[1]*q[3]), s*(q[3]*q[4] + q[1]*q[2]),
        1 - s*(q[2]^2 + q[3]^2)];
    end directionCosines;

    function quaternion "The quaternion of a rotation"
      // S. W. Shepperd, J. Guidance and Control 1 (1978) 223: the largest
      // component comes first, so that nothing cancels.
      input Real T[3, 3] "Direction cosines";
      output Real q[4] "Quaternion, its scalar part first";
    protected
      Real trace = T[1, 1] + T[2, 2] + T[3, 3];
    algorithm
      if trace >= max(T[1, 1], max(T[2, 2], T[3, 3])) then
        q := {1 + trace, T[3, 2] - T[2, 3], T[1, 3] - T[3, 1],
          T[2, 1] - T[1, 2]};
      elseif T[1, 1] >= max(T[2, 2], T[3, 3]) then
        q := {T[3, 2] - T[2, 3], 1 + 2*T[1, 1] - trace, T[1, 2] + T[2, 1],
          T[3, 1] + T[1, 3]};
      elseif T[2, 2] >= T[3, 3] then
        q := {T[1, 3] - T[3, 1], T[1, 2] + T[2, 1], 1 + 2*T[2, 2] - trace,
          T[2, 3] + T[3, 2]};
      else
        q := {T[2, 1] - T[1, 2], T[3, 1] + T[1, 3], T[2, 3] + T[3, 2],
          1 + 2*T[3, 3] - trace};
      end if;
      q := q/sqrt(q*q);
    end quaternion;
  end Internal;
end Plants;
