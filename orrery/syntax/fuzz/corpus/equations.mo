model Equations
  Real x(start = 1), y;
initial equation
  x = 1 "start";
initial algorithm
  y := 0;
equation
  der(x) = -k*x + u annotation(Placement());
  (a, , b) = f(x, n = 2);
  connect(pin[1].p, other.n);
  assert(x > 0 and not y < 1 or initial(), "message " + String(x));
  if use_it then
    x = y;
  elseif time >= 2 then
    x = 2;
  else
    x = 3;
    y = 4;
  end if;
  for i in 1:n, j in {1, 3} loop
    A[i, j] = B[end, i + 1];
    for k loop
      v[k] = 0;
    end for;
  end for;
  when {initial(), sample(0, 0.1)} then
    reinit(x, pre(x));
  elsewhen x > 1 then
    terminate("done");
  end when;
protected
  Real late;
algorithm
  x := 1;
  x[2].y := x[1].y .* 2;
  (a, b) := f(x);
  f();
  while true loop
    if a then
      break;
    else
      return;
    end if;
  end while;
  for i in 1:2:10 loop
    s := s + i;
  end for;
  when a then
    b := 1;
  elsewhen c then
    b := 2;
  end when;
end Equations;
