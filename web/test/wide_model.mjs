// A model with many signals: 99 for each of its parts, and those of a needle.
export const wide = (parts) => `model Wide
  model Part
    parameter Real k = 1;
    Real level[98];
  equation
    for i in 1:98 loop
      level[i] = k*i*time;
    end for;
  end Part;
  Part part[${parts}](k = 1:${parts});
  Real needle(start = 1, fixed = true);
equation
  der(needle) = -needle;
  annotation(experiment(StopTime = 1, Interval = 0.1));
end Wide;
`;
