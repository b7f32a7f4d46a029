within Modelica;
package Units "Types with units"
  package SI "Quantities in the units of the SI"
    type Angle = Real(
        final quantity = "Angle", final unit = "rad", displayUnit = "deg");
    type SolidAngle = Real(final quantity = "SolidAngle", final unit = "sr");
    type Length = Real(final quantity = "Length", final unit = "m");
    type Position = Real(final quantity = "Position", final unit = "m");
    type Distance = Real(final quantity = "Distance", final unit = "m");
    type Height = Real(final quantity = "Height", final unit = "m");
    type Diameter = Real(
        final quantity = "Diameter", final unit = "m", displayUnit = "mm",
        min = 0);
    type Radius = Real(
        final quantity = "Radius", final unit = "m", displayUnit = "mm",
        min = 0);
    type Breadth = Real(final quantity = "Breadth", final unit = "m");
    type Thickness = Real(
        final quantity = "Thickness", final unit = "m", displayUnit = "mm",
        min = 0);
    type PathLength = Real(final quantity = "PathLength", final unit = "m");
    type Area = Real(final quantity = "Area", final unit = "m2");
    type Volume = Real(
        final quantity = "Volume", final unit = "m3", displayUnit = "l");
    type Time = Real(final quantity = "Time", final unit = "s");
    type Duration = Real(final quantity = "Duration", final unit = "s");
    type Period = Real(final quantity = "Period", final unit = "s");
    type Frequency = Real(final quantity = "Frequency", final unit = "Hz");
    type AngularFrequency = Real(
        final quantity = "AngularFrequency", final unit = "rad/s");
    type AngularVelocity = Real(
        final quantity = "AngularVelocity", final unit = "rad/s",
        displayUnit = "rev/min");
    type AngularAcceleration = Real(
        final quantity = "AngularAcceleration", final unit = "rad/s2");
    type Velocity = Real(final quantity = "Velocity", final unit = "m/s");
    type Acceleration = Real(
        final quantity = "Acceleration", final unit = "m/s2");
    type Jerk = Real(final quantity = "Jerk", final unit = "m/s3");
    type DampingCoefficient = Real(
        final quantity = "DampingCoefficient", final unit = "1/s");
    type DampingRatio = Real(final quantity = "DampingRatio", final unit = "1");
    type Wavelength = Real(final quantity = "Wavelength", final unit = "m");
    type WaveNumber = Real(final quantity = "WaveNumber", final unit = "1/m");
    type Mass = Real(final quantity = "Mass", final unit = "kg", min = 0);
    type Density = Real(
        final quantity = "Density", final unit = "kg/m3", min = 0);
    type SpecificVolume = Real(
        final quantity = "SpecificVolume", final unit = "m3/kg");
    type LinearDensity = Real(
        final quantity = "LinearDensity", final unit = "kg/m");
    type SurfaceDensity = Real(
        final quantity = "SurfaceDensity", final unit = "kg/m2");
    type Momentum = Real(final quantity = "Momentum", final unit = "kg.m/s");
    type Impulse = Real(final quantity = "Impulse", final unit = "N.s");
    type AngularMomentum = Real(
        final quantity = "AngularMomentum", final unit = "kg.m2/s");
    type MomentOfInertia = Real(
        final quantity = "MomentOfInertia", final unit = "kg.m2");
    type Inertia = Real(final quantity = "Inertia", final unit = "kg.m2");
    type Force = Real(final quantity = "Force", final unit = "N");
    type Weight = Real(final quantity = "Weight", final unit = "N");
    type Torque = Real(final quantity = "Torque", final unit = "N.m");
    type MomentOfForce = Real(
        final quantity = "MomentOfForce", final unit = "N.m");
    type Pressure = Real(
        final quantity = "Pressure", final unit = "Pa", displayUnit = "bar",
        nominal = 1e5);
    type AbsolutePressure = Real(
        final quantity = "AbsolutePressure", final unit = "Pa",
        displayUnit = "bar", min = 0, nominal = 1e5);
    type PressureDifference = Real(
        final quantity = "PressureDifference", final unit = "Pa",
        displayUnit = "bar");
    type Stress = Real(final quantity = "Stress", final unit = "Pa");
    type ModulusOfElasticity = Real(
        final quantity = "ModulusOfElasticity", final unit = "Pa");
    type Strain = Real(final quantity = "Strain", final unit = "1");
    type CoefficientOfFriction = Real(
        final quantity = "CoefficientOfFriction", final unit = "1");
    type DynamicViscosity = Real(
        final quantity = "DynamicViscosity", final unit = "Pa.s");
    type KinematicViscosity = Real(
        final quantity = "KinematicViscosity", final unit = "m2/s");
    type SurfaceTension = Real(
        final quantity = "SurfaceTension", final unit = "N/m");
    type TranslationalSpringConstant = Real(
        final quantity = "TranslationalSpringConstant", final unit = "N/m");
    type TranslationalDampingConstant = Real(
        final quantity = "TranslationalDampingConstant", final unit = "N.s/m");
    type RotationalSpringConstant = Real(
        final quantity = "RotationalSpringConstant", final unit = "N.m/rad");
    type RotationalDampingConstant = Real(
        final quantity = "RotationalDampingConstant",
        final unit = "N.m.s/rad");
    type Work = Real(final quantity = "Work", final unit = "J");
    type Energy = Real(final quantity = "Energy", final unit = "J");
    type KineticEnergy = Real(
        final quantity = "KineticEnergy", final unit = "J");
    type PotentialEnergy = Real(
        final quantity = "PotentialEnergy", final unit = "J");
    type Power = Real(final quantity = "Power", final unit = "W");
    type Efficiency = Real(final quantity = "Efficiency", final unit = "1");
    type DimensionlessRatio = Real(unit = "1");
    type PerUnit = Real(unit = "1");
    type MassFlowRate = Real(
        final quantity = "MassFlowRate", final unit = "kg/s");
    type VolumeFlowRate = Real(
        final quantity = "VolumeFlowRate", final unit = "m3/s");
    type ThermodynamicTemperature = Real(
        final quantity = "ThermodynamicTemperature", final unit = "K",
        displayUnit = "degC", min = 0, start = 288.15, nominal = 300);
    type Temperature = ThermodynamicTemperature;
    type TemperatureDifference = Real(
        final quantity = "TemperatureDifference", final unit = "K");
    type TemperatureSlope = Real(
        final quantity = "TemperatureSlope", final unit = "K/s");
    type Heat = Real(final quantity = "Heat", final unit = "J");
    type HeatFlowRate = Real(final quantity = "HeatFlowRate", final unit = "W");
    type HeatFlux = Real(final quantity = "HeatFlux", final unit = "W/m2");
    type ThermalConductivity = Real(
        final quantity = "ThermalConductivity", final unit = "W/(m.K)");
    type CoefficientOfHeatTransfer = Real(
        final quantity = "CoefficientOfHeatTransfer", final unit = "W/(m2.K)");
    type ThermalInsulance = Real(
        final quantity = "ThermalInsulance", final unit = "m2.K/W");
    type ThermalResistance = Real(
        final quantity = "ThermalResistance", final unit = "K/W");
    type ThermalConductance = Real(
        final quantity = "ThermalConductance", final unit = "W/K");
    type HeatCapacity = Real(
        final quantity = "HeatCapacity", final unit = "J/K");
    type SpecificHeatCapacity = Real(
        final quantity = "SpecificHeatCapacity", final unit = "J/(kg.K)");
    type MolarHeatCapacity = Real(
        final quantity = "MolarHeatCapacity", final unit = "J/(mol.K)");
    type LinearExpansionCoefficient = Real(
        final quantity = "LinearExpansionCoefficient", final unit = "1/K");
    type CubicExpansionCoefficient = Real(
        final quantity = "CubicExpansionCoefficient", final unit = "1/K");
    type Entropy = Real(final quantity = "Entropy", final unit = "J/K");
    type SpecificEntropy = Real(
        final quantity = "SpecificEntropy", final unit = "J/(kg.K)");
    type InternalEnergy = Real(
        final quantity = "InternalEnergy", final unit = "J");
    type Enthalpy = Real(final quantity = "Enthalpy", final unit = "J");
    type SpecificEnergy = Real(
        final quantity = "SpecificEnergy", final unit = "J/kg");
    type SpecificEnthalpy = Real(
        final quantity = "SpecificEnthalpy", final unit = "J/kg");
    type SpecificInternalEnergy = Real(
        final quantity = "SpecificInternalEnergy", final unit = "J/kg");
    type EntropyFlowRate = Real(
        final quantity = "EntropyFlowRate", final unit = "W/K");
    type EnthalpyFlowRate = Real(
        final quantity = "EnthalpyFlowRate", final unit = "W");
    type Emissivity = Real(final quantity = "Emissivity", final unit = "1");
    type ElectricCurrent = Real(
        final quantity = "ElectricCurrent", final unit = "A");
    type Current = Real(final quantity = "Current", final unit = "A");
    type CurrentDensity = Real(
        final quantity = "CurrentDensity", final unit = "A/m2");
    type CurrentSlope = Real(
        final quantity = "CurrentSlope", final unit = "A/s");
    type ElectricCharge = Real(
        final quantity = "ElectricCharge", final unit = "C");
    type ElectricPotential = Real(
        final quantity = "ElectricPotential", final unit = "V");
    type PotentialDifference = Real(
        final quantity = "PotentialDifference", final unit = "V");
    type ElectromotiveForce = Real(
        final quantity = "ElectromotiveForce", final unit = "V");
    type Voltage = Real(final quantity = "Voltage", final unit = "V");
    type VoltageSlope = Real(
        final quantity = "VoltageSlope", final unit = "V/s");
    type ElectricFieldStrength = Real(
        final quantity = "ElectricFieldStrength", final unit = "V/m");
    type ElectricFluxDensity = Real(
        final quantity = "ElectricFluxDensity", final unit = "C/m2");
    type Capacitance = Real(final quantity = "Capacitance", final unit = "F");
    type Permittivity = Real(
        final quantity = "Permittivity", final unit = "F/m");
    type Resistance = Real(final quantity = "Resistance", final unit = "Ohm");
    type Resistivity = Real(
        final quantity = "Resistivity", final unit = "Ohm.m");
    type Conductance = Real(final quantity = "Conductance", final unit = "S");
    type Conductivity = Real(
        final quantity = "Conductivity", final unit = "S/m");
    type Impedance = Real(final quantity = "Impedance", final unit = "Ohm");
    type Reactance = Real(final quantity = "Reactance", final unit = "Ohm");
    type Admittance = Real(final quantity = "Admittance", final unit = "S");
    type Inductance = Real(final quantity = "Inductance", final unit = "H");
    type MutualInductance = Real(
        final quantity = "MutualInductance", final unit = "H");
    type MagneticFlux = Real(
        final quantity = "MagneticFlux", final unit = "Wb");
    type MagneticFluxDensity = Real(
        final quantity = "MagneticFluxDensity", final unit = "T");
    type MagneticFieldStrength = Real(
        final quantity = "MagneticFieldStrength", final unit = "A/m");
    type MagneticPotentialDifference = Real(
        final quantity = "MagneticPotentialDifference", final unit = "A");
    type MagnetomotiveForce = Real(
        final quantity = "MagnetomotiveForce", final unit = "A");
    type Reluctance = Real(final quantity = "Reluctance", final unit = "1/H");
    type Permeance = Real(final quantity = "Permeance", final unit = "H");
    type Permeability = Real(
        final quantity = "Permeability", final unit = "H/m");
    type ApparentPower = Real(
        final quantity = "ApparentPower", final unit = "V.A");
    type ReactivePower = Real(
        final quantity = "ReactivePower", final unit = "var");
    type ElectricalTorqueConstant = Real(
        final quantity = "ElectricalTorqueConstant", final unit = "N.m/A");
    type Irradiance = Real(final quantity = "Irradiance", final unit = "W/m2");
    type LuminousIntensity = Real(
        final quantity = "LuminousIntensity", final unit = "cd");
    type LuminousFlux = Real(
        final quantity = "LuminousFlux", final unit = "lm");
    type Illuminance = Real(final quantity = "Illuminance", final unit = "lx");
    type RefractiveIndex = Real(
        final quantity = "RefractiveIndex", final unit = "1");
    type SoundPressure = Real(
        final quantity = "SoundPressure", final unit = "Pa");
    type SoundPower = Real(final quantity = "SoundPower", final unit = "W");
    type AmountOfSubstance = Real(
        final quantity = "AmountOfSubstance", final unit = "mol");
    type MolarMass = Real(
        final quantity = "MolarMass", final unit = "kg/mol", min = 0);
    type MolarVolume = Real(
        final quantity = "MolarVolume", final unit = "m3/mol");
    type Concentration = Real(
        final quantity = "Concentration", final unit = "mol/m3");
    type MassFraction = Real(final quantity = "MassFraction", final unit = "1");
    type MoleFraction = Real(final quantity = "MoleFraction", final unit = "1");
    type MolarFlowRate = Real(
        final quantity = "MolarFlowRate", final unit = "mol/s");
    type MolarEnergy = Real(
        final quantity = "MolarEnergy", final unit = "J/mol");
    type MolarEnthalpy = Real(
        final quantity = "MolarEnthalpy", final unit = "J/mol");
    type MolarEntropy = Real(
        final quantity = "MolarEntropy", final unit = "J/(mol.K)");
    type DiffusionCoefficient = Real(
        final quantity = "DiffusionCoefficient", final unit = "m2/s");
    type FaradayConstant = Real(
        final quantity = "FaradayConstant", final unit = "C/mol");
    type Activity = Real(final quantity = "Activity", final unit = "Bq");
    type AbsorbedDose = Real(
        final quantity = "AbsorbedDose", final unit = "Gy");
    type DoseEquivalent = Real(
        final quantity = "DoseEquivalent", final unit = "Sv");
    type HalfLife = Real(final quantity = "HalfLife", final unit = "s");
    type MachNumber = Real(final quantity = "MachNumber", final unit = "1");
    type ReynoldsNumber = Real(
        final quantity = "ReynoldsNumber", final unit = "1");
    type PrandtlNumber = Real(
        final quantity = "PrandtlNumber", final unit = "1");
    type NusseltNumber = Real(
        final quantity = "NusseltNumber", final unit = "1");
    type RatioOfSpecificHeatCapacities = Real(
        final quantity = "RatioOfSpecificHeatCapacities", final unit = "1");
  end SI;

  package NonSI "Quantities in units that the SI does not know"
    type Temperature_degC = Real(
        final quantity = "ThermodynamicTemperature", final unit = "degC");
    type Temperature_degF = Real(
        final quantity = "ThermodynamicTemperature", final unit = "degF");
    type Temperature_degRk = Real(
        final quantity = "ThermodynamicTemperature", final unit = "degRk");
    type Angle_deg = Real(final quantity = "Angle", final unit = "deg");
    type AngularVelocity_rpm = Real(
        final quantity = "AngularVelocity", final unit = "rev/min");
    type Velocity_kmh = Real(final quantity = "Velocity", final unit = "km/h");
    type Time_day = Real(final quantity = "Time", final unit = "d");
    type Time_hour = Real(final quantity = "Time", final unit = "h");
    type Time_minute = Real(final quantity = "Time", final unit = "min");
    type Volume_litre = Real(final quantity = "Volume", final unit = "l");
    type Energy_kWh = Real(final quantity = "Energy", final unit = "kW.h");
    type Pressure_bar = Real(final quantity = "Pressure", final unit = "bar");
    type MassFlowRate_gps = Real(
        final quantity = "MassFlowRate", final unit = "g/s");
  end NonSI;

  package Conversions "Functions from one unit to another"
    function to_degC "From kelvin to degrees Celsius"
      input Real Kelvin(unit = "K");
      output Real Celsius(unit = "degC");
    algorithm
      Celsius := Kelvin + Modelica.Constants.T_zero;
    end to_degC;

    function from_degC "From degrees Celsius to kelvin"
      input Real Celsius(unit = "degC");
      output Real Kelvin(unit = "K");
    algorithm
      Kelvin := Celsius - Modelica.Constants.T_zero;
    end from_degC;

    function to_degF "From kelvin to degrees Fahrenheit"
      input Real Kelvin(unit = "K");
      output Real Fahrenheit(unit = "degF");
    algorithm
      Fahrenheit := (Kelvin + Modelica.Constants.T_zero)*9/5 + 32;
    end to_degF;

    function from_degF "From degrees Fahrenheit to kelvin"
      input Real Fahrenheit(unit = "degF");
      output Real Kelvin(unit = "K");
    algorithm
      Kelvin := (Fahrenheit - 32)*5/9 - Modelica.Constants.T_zero;
    end from_degF;

    function to_degRk "From kelvin to degrees Rankine"
      input Real Kelvin(unit = "K");
      output Real Rankine(unit = "degRk");
    algorithm
      Rankine := 9*Kelvin/5;
    end to_degRk;

    function from_degRk "From degrees Rankine to kelvin"
      input Real Rankine(unit = "degRk");
      output Real Kelvin(unit = "K");
    algorithm
      Kelvin := 5*Rankine/9;
    end from_degRk;

    function to_deg "From radians to degrees"
      input Real radian(unit = "rad");
      output Real degree(unit = "deg");
    algorithm
      degree := 180*radian/Modelica.Constants.pi;
    end to_deg;

    function from_deg "From degrees to radians"
      input Real degree(unit = "deg");
      output Real radian(unit = "rad");
    algorithm
      radian := Modelica.Constants.pi*degree/180;
    end from_deg;

    function to_rpm "From radians per second to revolutions per minute"
      input Real rs(unit = "rad/s");
      output Real rpm(unit = "rev/min");
    algorithm
      rpm := 30*rs/Modelica.Constants.pi;
    end to_rpm;

    function from_rpm "From revolutions per minute to radians per second"
      input Real rpm(unit = "rev/min");
      output Real rs(unit = "rad/s");
    algorithm
      rs := Modelica.Constants.pi*rpm/30;
    end from_rpm;

    function to_kmh "From metres per second to kilometres per hour"
      input Real ms(unit = "m/s");
      output Real kmh(unit = "km/h");
    algorithm
      kmh := 3.6*ms;
    end to_kmh;

    function from_kmh "From kilometres per hour to metres per second"
      input Real kmh(unit = "km/h");
      output Real ms(unit = "m/s");
    algorithm
      ms := kmh/3.6;
    end from_kmh;

    function to_bar "From pascals to bars"
      input Real Pa(unit = "Pa");
      output Real bar(unit = "bar");
    algorithm
      bar := Pa/1e5;
    end to_bar;

    function from_bar "From bars to pascals"
      input Real bar(unit = "bar");
      output Real Pa(unit = "Pa");
    algorithm
      Pa := 1e5*bar;
    end from_bar;

    function to_hour "From seconds to hours"
      input Real s(unit = "s");
      output Real hour(unit = "h");
    algorithm
      hour := s/3600;
    end to_hour;

    function from_hour "From hours to seconds"
      input Real hour(unit = "h");
      output Real s(unit = "s");
    algorithm
      s := 3600*hour;
    end from_hour;

    function to_day "From seconds to days"
      input Real s(unit = "s");
      output Real day(unit = "d");
    algorithm
      day := s/86400;
    end to_day;

    function from_day "From days to seconds"
      input Real day(unit = "d");
      output Real s(unit = "s");
    algorithm
      s := 86400*day;
    end from_day;

    function to_minute "From seconds to minutes"
      input Real s(unit = "s");
      output Real minute(unit = "min");
    algorithm
      minute := s/60;
    end to_minute;

    function from_minute "From minutes to seconds"
      input Real minute(unit = "min");
      output Real s(unit = "s");
    algorithm
      s := 60*minute;
    end from_minute;

    function to_kWh "From joules to kilowatt hours"
      input Real J(unit = "J");
      output Real kWh(unit = "kW.h");
    algorithm
      kWh := J/3.6e6;
    end to_kWh;

    function from_kWh "From kilowatt hours to joules"
      input Real kWh(unit = "kW.h");
      output Real J(unit = "J");
    algorithm
      J := 3.6e6*kWh;
    end from_kWh;

    function to_litre "From cubic metres to litres"
      input Real m3(unit = "m3");
      output Real litre(unit = "l");
    algorithm
      litre := 1000*m3;
    end to_litre;

    function from_litre "From litres to cubic metres"
      input Real litre(unit = "l");
      output Real m3(unit = "m3");
    algorithm
      m3 := litre/1000;
    end from_litre;

    function to_Ah "From coulombs to ampere hours"
      input Real coulomb(unit = "C");
      output Real AmpereHour(unit = "A.h");
    algorithm
      AmpereHour := coulomb/3600;
    end to_Ah;

    function from_Ah "From ampere hours to coulombs"
      input Real AmpereHour(unit = "A.h");
      output Real coulomb(unit = "C");
    algorithm
      coulomb := 3600*AmpereHour;
    end from_Ah;

    function to_Wh "From joules to watt hours"
      input Real joule(unit = "J");
      output Real WattHour(unit = "W.h");
    algorithm
      WattHour := joule/3600;
    end to_Wh;

    function from_Wh "From watt hours to joules"
      input Real WattHour(unit = "W.h");
      output Real joule(unit = "J");
    algorithm
      joule := 3600*WattHour;
    end from_Wh;

    function to_gps "From kilograms per second to grams per second"
      input Real kgps(unit = "kg/s");
      output Real gps(unit = "g/s");
    algorithm
      gps := 1000*kgps;
    end to_gps;

    function from_gps "From grams per second to kilograms per second"
      input Real gps(unit = "g/s");
      output Real kgps(unit = "kg/s");
    algorithm
      kgps := gps/1000;
    end from_gps;

    function to_Hz "From radians per second to hertz"
      input Real w(unit = "rad/s");
      output Real f(unit = "Hz");
    algorithm
      f := w/(2*Modelica.Constants.pi);
    end to_Hz;

    function from_Hz "From hertz to radians per second"
      input Real f(unit = "Hz");
      output Real w(unit = "rad/s");
    algorithm
      w := 2*Modelica.Constants.pi*f;
    end from_Hz;

    function to_cm2 "From square metres to square centimetres"
      input Real m2(unit = "m2");
      output Real cm2(unit = "cm2");
    algorithm
      cm2 := 10000*m2;
    end to_cm2;

    function from_cm2 "From square centimetres to square metres"
      input Real cm2(unit = "cm2");
      output Real m2(unit = "m2");
    algorithm
      m2 := cm2/10000;
    end from_cm2;
  end Conversions;
end Units;
