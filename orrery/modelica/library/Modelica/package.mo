package Modelica "Orrery's library, under the names of Modelica's"
end Modelica;
