model Interrupter "A contact that the current of its own coil opens, as in a buzzer"
  parameter Real U(unit = "V") = 12;
  parameter Real L(unit = "H") = 0.1;
  parameter Real R(unit = "Ohm") = 4;
  parameter Real R_open(unit = "Ohm") = 20 "Resistance of the spark";
  parameter Real i_open(unit = "A") = 2 "The coil pulls the contact open";
  parameter Real i_close(unit = "A") = 1 "The spring closes it again";
  Real i(unit = "A", start = 0, fixed = true);
  Real v_coil(unit = "V");
  Real v_contact(unit = "V");
  Boolean closed(start = true, fixed = true);
  Integer strokes(start = 0, fixed = true);
  discrete Real opened(unit = "s", start = 0, fixed = true) "Time at which it last opened";
equation
  L*der(i) = v_coil;
  U = v_coil + R*i + v_contact;
  v_contact = if closed then 0 else R_open*i;
  closed = i < i_close or pre(closed) and i <= i_open;
  when not closed then
    strokes = pre(strokes) + 1;
    opened = time;
  end when;
  annotation(experiment(StopTime = 0.2, Tolerance = 1e-9));
end Interrupter;
