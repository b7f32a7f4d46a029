model ImportUnused
  import Modelica.Blocks.Foo;
  import Modelica.Math.{sin, coss};
  import SI = Modelica.Units.SI;
  import Modelica.Constants.pi;
  import Modelica.Nothing.*;
  model Part
    import pie = Modelica.Constants.pie;
    Real x = 1;
  end Part;
  Part a, b;
  Real x = pi;
end ImportUnused;
