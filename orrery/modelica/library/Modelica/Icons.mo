within Modelica;
package Icons "Empty classes to inherit from, so that models have icons"
  partial class Information "Text for people" end Information;
  partial class Contact "Whom to ask" end Contact;
  partial class ReleaseNotes "What is new" end ReleaseNotes;
  partial class References "Literature" end References;
  partial package ExamplesPackage "Examples" end ExamplesPackage;
  partial model Example "A model that can be run" end Example;
  partial package Package "Any package" end Package;
  partial package BasesPackage "Partial classes" end BasesPackage;
  partial package VariantsPackage "Variants of one thing" end VariantsPackage;
  partial package InterfacesPackage "Connectors" end InterfacesPackage;
  partial package SourcesPackage "Sources" end SourcesPackage;
  partial package SensorsPackage "Sensors" end SensorsPackage;
  partial package UtilitiesPackage "Tools" end UtilitiesPackage;
  partial package TypesPackage "Types" end TypesPackage;
  partial package FunctionsPackage "Functions" end FunctionsPackage;
  partial package IconsPackage "Icons" end IconsPackage;
  partial package InternalPackage "Not for users" end InternalPackage;
  partial package MaterialPropertiesPackage "Properties of matter"
  end MaterialPropertiesPackage;
  partial class RotationalSensor "Measures rotation" end RotationalSensor;
  partial class TranslationalSensor "Measures translation"
  end TranslationalSensor;
  partial class RectangularSensor "Measures" end RectangularSensor;
  partial class RoundSensor "Measures" end RoundSensor;
  partial class MotorIcon "A motor" end MotorIcon;
  partial class ObsoleteModel "To be replaced" end ObsoleteModel;
  partial function Function "Any function" end Function;
  partial record Record "Any record" end Record;
  type TypeReal = Real "Any Real";
  type TypeInteger = Integer "Any Integer";
  type TypeBoolean = Boolean "Any Boolean";
  type TypeString = String "Any String";
  partial package Library = Package "Any library";
  partial package Library2 = Package "Any library";
end Icons;
