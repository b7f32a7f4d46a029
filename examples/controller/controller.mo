// A PI controller moves a mass with friction to a set point: the same diagram
// as controller.cbd and controller.cc, block by block.
package Controller "Blocks and their diagram"

  connector RealInput = input Real;
  connector RealOutput = output Real;

  block Gain
    parameter Real k = 1;
    RealInput u;
    RealOutput y;
  equation
    y = k*u;
  end Gain;

  block Integrator
    parameter Real initial_value = 0;
    RealInput u;
    RealOutput y(start = initial_value, fixed = true);
  equation
    der(y) = u;
  end Integrator;

  block Sum "k1*u1 + k2*u2"
    parameter Real k1 = 1, k2 = 1;
    RealInput u1, u2;
    RealOutput y;
  equation
    y = k1*u1 + k2*u2;
  end Sum;

  block Constant
    parameter Real k;
    RealOutput y;
  equation
    y = k;
  end Constant;

  model Loop "Set point 1, mass 2, friction 0.5"
    Constant setpoint(k = 1);
    Sum error(k2 = -1);
    Gain proportional(k = 3);
    Integrator integral;
    Gain integral_gain(k = 0.5);
    Sum force;
    Sum balance(k1 = 0.5, k2 = -0.25) "(force - friction)/mass";
    Integrator speed;
    Integrator position;
  equation
    connect(setpoint.y, error.u1);
    connect(position.y, error.u2);
    connect(error.y, proportional.u);
    connect(error.y, integral.u);
    connect(integral.y, integral_gain.u);
    connect(proportional.y, force.u1);
    connect(integral_gain.y, force.u2);
    connect(force.y, balance.u1);
    connect(speed.y, balance.u2);
    connect(balance.y, speed.u);
    connect(speed.y, position.u);
    annotation(experiment(StopTime = 5));
  end Loop;
end Controller;
