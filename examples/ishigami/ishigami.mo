// The test function of sensitivity analyses: T. Ishigami and T. Homma, "An
// importance quantification technique in uncertainty analysis for computer
// models", Proc. ISUMA '90, pp. 398-403.
model Ishigami
  parameter Real x1 = 0;
  parameter Real x2 = 0;
  parameter Real x3 = 0 "Matters only together with x1";
  Real y = sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1);
  annotation(experiment(StopTime = 0));
end Ishigami;
