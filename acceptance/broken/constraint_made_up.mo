// An axle on two wheels, the left one on flat ground and the right one on a
// bumpy road; its end points keep their distance, and the left one its arm.
// These two equations bind the positions: a problem of index 3.
// IVP Test Set, problem CARAX.
model ConstraintMadeUp "A car axis on a bumpy road"
  constant Real M = 10, L = 1, L0 = 0.5, g = 1, r = 0.1, omega = 10;
  constant Real k = 1e-4*M/2 "Mass of an end point, scaled by eps^2";
  Real xl(start = 0, fixed = true), yl(start = 0.5, fixed = true);
  Real xr(start = 1, fixed = true), yr(start = 0.5, fixed = true);
  Real ul(start = -0.5, fixed = true), vl(start = 0, fixed = true);
  Real ur(start = -0.5, fixed = true), vr(start = 0, fixed = true);
  Real lambda1 "Force along the arm";
  Real lambda2 "Force along the axle";
protected
  Real xb, yb "The right wheel";
  Real ll, lr "Lengths of the springs";
equation
  yb = r*sin(omega*time);
  2 = sqrt(L^xb - yb^2);
  ll = sqrt(xl^2 + yl^2);
  lr = sqrt((xr - xb)^2 + (yr - yb)^2);
  der(xl) = ul;
  der(yl) = vl;
  der(xr) = ur;
  der(yr) = vr;
  k*der(ul) = (L0 - ll)*xl/ll + lambda1*xb + 2*lambda2*(xl - xr);
  k*der(vl) = (L0 - ll)*yl/ll + lambda1*yb + 2*lambda2*(yl - yr) - k*g;
  k*der(ur) = (L0 - lr)*(xr - xb)/lr - 2*lambda2*(xl - xr);
  k*der(vr) = (L0 - lr)*(yr - yb)/lr - 2*lambda2*(yl - yr) - k*g;
  xl*xb + yl*yb = 0;
  (xl - xr)^2 + (yl - yr)^2 = L^2;
  annotation(experiment(StopTime = 3));
end ConstraintMadeUp;
