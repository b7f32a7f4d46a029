package Orrery "Blocks that Modelica's library does not have"
end Orrery;
