within Folder;
model ViaReplaceable
  replaceable package P = Derived constrainedby Base;
  Real x = P.f(time);
  annotation(experiment(StopTime = 1));
end ViaReplaceable;
