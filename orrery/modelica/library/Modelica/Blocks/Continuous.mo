within Modelica.Blocks;
package Continuous ""
end Continuous;
