model Text "With a parameter that is a String"
  parameter String name = "a";
  Part part;
  Real x = if name == "a" then 1 else 2;
  model Part
    parameter String label = "b";
  end Part;
end Text;
