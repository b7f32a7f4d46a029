model Texts "What happens is told by texts"
  model Part
    parameter String law = "unit";
    Real factor = if law == "ten \"times\"" then 10 else 1;
  end Part;
  parameter String kind = "slow";
  Part part;
  Real x(start = 0, fixed = true);
equation
  der(x) = (if kind == "fast" then 2 else 1)*part.factor;
  annotation(experiment(StopTime = 3));
end Texts;
