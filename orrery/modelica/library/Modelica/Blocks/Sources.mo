within Modelica.Blocks;
package Sources ""
end Sources;
