within Modelica;
package Constants "Numbers of mathematics, of the machine and of nature"
  constant Real pi = 2*asin(1.0) "Circumference of a circle over its diameter";
  constant Real D2R = pi/180 "Radians in a degree";
  constant Real R2D = 180/pi "Degrees in a radian";
  constant Real e = exp(1.0) "Base of the natural logarithm";
  constant Real gamma = 0.57721566490153286061 "Euler's constant";
  constant Real eps = 2.220446049250313e-16
    "Smallest number for which 1 + eps differs from 1";
  constant Real small = 2.2250738585072014e-308
    "Smallest positive number of full precision";
  constant Real inf = 1.7976931348623157e308 "Largest number";
  constant Integer Integer_inf = 2147483647 "Largest Integer of 32 bits";
  final constant Modelica.Units.SI.Velocity c = 299792458
    "Speed of light in vacuum";
  final constant Modelica.Units.SI.Acceleration g_n = 9.80665
    "Standard acceleration of free fall";
  final constant Real G(unit = "m3/(kg.s2)") = 6.67430e-11
    "Newtonian constant of gravitation (CODATA 2018)";
  final constant Modelica.Units.SI.ElectricCharge q = 1.602176634e-19
    "Elementary charge";
  final constant Real F(unit = "C/mol") = q*N_A "Faraday constant";
  final constant Real h(unit = "J.s") = 6.62607015e-34 "Planck constant";
  final constant Real k(unit = "J/K") = 1.380649e-23 "Boltzmann constant";
  final constant Real R(unit = "J/(mol.K)") = k*N_A "Molar gas constant";
  final constant Real sigma(unit = "W/(m2.K4)") = 2*pi^5*k^4/(15*h^3*c^2)
    "Stefan-Boltzmann constant";
  final constant Real N_A(unit = "1/mol") = 6.02214076e23 "Avogadro constant";
  final constant Real mu_0(unit = "N/A2") = 1.25663706212e-6
    "Magnetic constant (CODATA 2018)";
  final constant Real epsilon_0(unit = "F/m") = 1/(mu_0*c*c)
    "Electric constant";
  final constant Modelica.Units.SI.Temperature T_zero = -273.15
    "Absolute zero in degrees Celsius";
end Constants;
