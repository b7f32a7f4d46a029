within Folder;
model ViaDerived
  Real x = Derived.f(time);
  annotation(experiment(StopTime = 1));
end ViaDerived;
