package Logic "Logical, MathBoolean, MathInteger and what Noise is made of"
  model Gates
    import Modelica.Blocks.Logical.*;
    And and1(u1 = true, u2 = false);
    Or or1(u1 = true, u2 = false);
    Xor xor1(u1 = true, u2 = true);
    Nor nor1(u1 = false, u2 = false);
    Nand nand1(u1 = true, u2 = false);
    Not not1(u = false);
    GreaterThreshold greaterThreshold(u = 2, threshold = 2);
    GreaterEqualThreshold greaterEqualThreshold(u = 2, threshold = 2);
    LessThreshold lessThreshold(u = 1, threshold = 2);
    LessEqualThreshold lessEqualThreshold(u = 3, threshold = 2);
    Greater greater(u1 = 3, u2 = 2);
    GreaterEqual greaterEqual(u1 = 2, u2 = 3);
    Less less(u1 = 3, u2 = 2);
    LessEqual lessEqual(u1 = 2, u2 = 2);
    Orrery.Blocks.Logical.Equal equal(u1 = 2, u2 = 2.25, tolerance = 0.25);
    Orrery.Blocks.Logical.Equal unequal(u1 = 2, u2 = 1.7, tolerance = 0.25);
    LogicalSwitch logicalSwitch(u1 = false, u2 = true, u3 = true);
    Switch switch1(u1 = 5, u2 = time > 0.5, u3 = 7);
    Switch switch2(u1 = 5, u2 = time > 2, u3 = 7);
    MajorityLogic majority(nu = 3, u = {true, false, true});
    Modelica.Blocks.MathBoolean.And all3(nu = 3, u = {true, true, false});
    Modelica.Blocks.MathBoolean.Or any3(nu = 3, u = {true, true, false});
    Modelica.Blocks.MathBoolean.Xor one3(nu = 3, u = {true, true, false});
    Modelica.Blocks.MathBoolean.Nand nand3(nu = 3, u = {true, true, false});
    Modelica.Blocks.MathBoolean.Nor nor3(nu = 3, u = {false, false, false});
    Modelica.Blocks.MathBoolean.Not not3(u = true);
    Modelica.Blocks.MathBoolean.MultiSwitch pick(nu = 3,
      u = {false, true, true}, expr = {false, true, false},
      use_pre_as_default = false);
    Modelica.Blocks.MathInteger.Sum sum3(nu = 3, k = {1, 2, 3}, u = {4, 5, 6});
    Modelica.Blocks.MathInteger.Product product3(nu = 3, u = {4, 5, 6});
    Modelica.Blocks.MathInteger.MultiSwitch pickInteger(nu = 2,
      u = {false, true}, expr = {3, 8}, use_pre_as_default = false);
    Modelica.Blocks.Math.MultiSwitch pickReal(nu = 2, u = {false, false},
      expr = {3, 8}, use_pre_as_default = false, y_default = 1.5);
    Modelica.Blocks.Math.Variance variance(u = time);
    Modelica.Blocks.Math.StandardDeviation deviation(u = time);
  end Gates;

  model Generator "MRG32k3a from its customary state, as its author has it"
    import N = Modelica.Blocks.Noise.Internal;
    final constant Real s0[6] = fill(12345.0, 6);
    Real s1[6] = N.next(s0);
    Real s2[6] = N.next(s1);
    Real s3[6] = N.next(s2);
    Real u1 = N.number(s1);
    Real u2 = N.number(s2);
    Real u3 = N.number(s3);
    Real median = N.normal(0.5);
    Real upper = N.normal(0.975);
    Real tail = N.normal(1e-10);
    Real part1 = N.normalPart(1);
    Real part2 = N.normalPart(-8);
  end Generator;
end Logic;
