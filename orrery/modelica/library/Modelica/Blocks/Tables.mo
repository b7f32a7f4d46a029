within Modelica.Blocks;
package Tables ""
end Tables;
