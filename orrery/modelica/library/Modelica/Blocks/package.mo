within Modelica;
package Blocks "Blocks of block diagrams: signals in, signals out"
end Blocks;
