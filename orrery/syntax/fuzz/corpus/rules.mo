model A
  record R
    input Real u;
  equation
    u = 1;
  end R;
  connector C
    inner Real v;
    flow Real i;
  algorithm
    v := 1;
  end C;
  type E = enumeration(a, b, a);
  type T = Real(foo = 1, each min = {1, 2});
  flow Real f(nominal = -1, min = 2, max = 1);
  discrete Real d = time;
equation
  assert(true, 1);
  annotation(experiment(StopTime = -1));
end A;
