model Tank
  final parameter Real area = 2;
  Real level = area*time;
end Tank;

model FinalModified
  Tank tank(area = 3);
end FinalModified;
