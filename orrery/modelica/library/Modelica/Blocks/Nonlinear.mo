within Modelica.Blocks;
package Nonlinear ""
end Nonlinear;
