model Pump "With parameters that are no plain numbers"
  type Mode = enumeration(Off, Slow, Fast);
  parameter Mode mode = Mode.Off;
  parameter Mode shift[2] = {Mode.Off, Mode.Slow};
  parameter Real k[3] = {1, 1, 1};
  parameter Real m[2, 2] = identity(2);
  parameter Boolean on[2] = {true, true};
  Real speed = if mode == Mode.Fast then 3 elseif mode == Mode.Slow then 1 else 0;
  Real flow_rate = k[1] + 10*k[2] + 100*k[3];
  Real trace = m[1, 1] + 10*m[1, 2] + 100*m[2, 1] + 1000*m[2, 2];
  Real last = if shift[2] == Mode.Fast and on[1] and not on[2] then 1 else 0;
  Spare spare if mode == Mode.Fast;
  model Spare
    Real x = 5;
  end Spare;
end Pump;
