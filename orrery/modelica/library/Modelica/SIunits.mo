within Modelica;
package SIunits "The name of Units.SI in version 3 of the Modelica library"
  extends Modelica.Units.SI;

  package Conversions = Modelica.Units.Conversions
    "Functions from one unit to another";
end SIunits;
