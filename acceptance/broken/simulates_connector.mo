connector SimulatesConnector
  Real v;
  flow Real i;
end SimulatesConnector;
