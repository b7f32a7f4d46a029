within Modelica.Blocks;
package Routing ""
end Routing;
