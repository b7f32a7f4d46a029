within Folder;
model Direct
  Real x = Base.f(time) + Integer(Base.c);
  annotation(experiment(StopTime = 1));
end Direct;
