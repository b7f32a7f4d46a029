model ImportUnknown
  import Modelica.Blcks;
  import Lag = Modelica.Blocks.Continuous.FirstOrdr;
  Blcks.Math.Gain gain(k = 2);
  Lag lag(k = 1, T = 1);
equation
  connect(gain.y, lag.u);
end ImportUnknown;
