model TrafficLight "A state machine: a light, and a button for those on foot"
  type Light = enumeration(red, green, amber);
  parameter Real t_red(unit = "s") = 30;
  parameter Real t_green(unit = "s") = 40;
  parameter Real t_amber(unit = "s") = 5;
  parameter Real t_least(unit = "s") = 10 "Green, however often the button is pressed";
  parameter Real pressed_at(unit = "s") = 47;
  Light light(start = Light.red, fixed = true);
  discrete Real since(unit = "s", start = 0, fixed = true);
  discrete Real until(unit = "s", start = t_red, fixed = true) "End of this state";
  Boolean pressed = time >= pressed_at and time < pressed_at + 1;
  Integer cycles(start = 0, fixed = true);
  Real waiting(start = 0, fixed = true) "Cars, one every two seconds";
equation
  when time >= pre(until) then
    light = if pre(light) == Light.red then Light.green
            elseif pre(light) == Light.green then Light.amber else Light.red;
    since = time;
    until = time + (if light == Light.red then t_red
                    elseif light == Light.green then t_green else t_amber);
    cycles = pre(cycles) + (if light == Light.red then 1 else 0);
  elsewhen pressed and pre(light) == Light.green then
    light = pre(light);
    since = pre(since);
    until = min(pre(until), max(time, pre(since) + t_least));
    cycles = pre(cycles);
  end when;
  // While it is green three cars leave every two seconds.
  der(waiting) = 0.5 - (if light == Light.green and waiting > 0 then 1.5
                        elseif light == Light.green then 0.5 else 0);
  annotation(experiment(StopTime = 150));
end TrafficLight;
