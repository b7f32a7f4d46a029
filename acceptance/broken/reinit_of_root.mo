model ReinitOfRoot
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    reinit(x, sqrt(-x));
  end when;
end ReinitOfRoot;
