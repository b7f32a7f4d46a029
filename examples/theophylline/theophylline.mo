model Theophylline "A drug taken by mouth: absorbed, spread in one compartment, cleared"
  parameter Real dose(unit = "mg/kg") = 4.02;
  parameter Real ka(unit = "1/h") = 1.5 "Absorption";
  parameter Real ke(unit = "1/h") = 0.08 "Elimination";
  parameter Real clearance(unit = "l/(h.kg)") = 0.03;
  Real gut(unit = "mg/kg", start = dose, fixed = true);
  Real concentration(unit = "mg/l", start = 0, fixed = true);
equation
  der(gut) = -ka*gut;
  der(concentration) = ka*gut*ke/clearance - ke*concentration;
  annotation(experiment(StopTime = 25, Tolerance = 1e-10));
end Theophylline;
