package TenOrders "Derivatives of derivatives of what is known"
  model OfTime
    Real y[11];
  equation
    y[1] = sin(time);
    for i in 1:10 loop
      y[i + 1] = der(y[i]);
    end for;
  end OfTime;

  model OfState
    Real x(start = 0, fixed = true);
    Real y[11];
  equation
    der(x) = 1;
    y[1] = exp(x)*sin(x);
    for i in 1:10 loop
      y[i + 1] = der(y[i]);
    end for;
  end OfState;
end TenOrders;
