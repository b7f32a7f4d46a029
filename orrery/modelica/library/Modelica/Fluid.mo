within Modelica;
package Fluid "Streams of fluids"
  package Utilities "What components of this package call"
    function checkBoundary "That what is said of a boundary can be so"
      input String mediumName;
      input String substanceNames[:];
      input Boolean singleState "Whether the density follows from no pressure";
      input Boolean define_p "Whether the pressure is given, not the density";
      input Real X_boundary[:] "Mass fractions, or none";
      input String modelName = "";
    algorithm
      assert(not singleState or define_p, modelName + ": " + mediumName +
        " has one density: give a pressure, with define_p = true");
      for i in 1:size(X_boundary, 1) loop
        assert(X_boundary[i] >= 0, modelName + ": a mass fraction of " +
          mediumName + " is negative: X_boundary[" + String(i) + "] = " +
          String(X_boundary[i]));
      end for;
      assert(size(X_boundary, 1) == 0 or abs(sum(X_boundary) - 1) <= 1e-10,
        modelName + ": the mass fractions of " + mediumName +
        " add up to " + String(sum(X_boundary)) + ", not 1");
    end checkBoundary;
  end Utilities;
end Fluid;
