within Modelica.Math;
package FastFourierTransform "Frequencies of sampled signals"
  package Internal "What functions of this package call"
    function rawRealFFT "Amplitudes and phases, by the sums that define them"
      input Real u[:] "An even number of samples";
      output Integer info = if mod(size(u, 1), 2) == 0 then 0 else 1
        "0, or 1 if the number is odd";
      output Real amplitudes[div(size(u, 1), 2) + 1];
      output Real phases[div(size(u, 1), 2) + 1] "rad";
    protected
      constant Real pi = 3.14159265358979323846;
      Integer n = size(u, 1);
      Real cosines[size(u, 1)] = {cos(2*pi*i/n) for i in 0:size(u, 1) - 1};
      Real sines[size(u, 1)] = {sin(2*pi*i/n) for i in 0:size(u, 1) - 1};
      Real re;
      Real im;
      Integer at;
    algorithm
      for k in 0:div(size(u, 1), 2) loop
        re := 0;
        im := 0;
        at := 0;
        for i in 1:size(u, 1) loop
          re := re + u[i]*cosines[at + 1];
          im := im - u[i]*sines[at + 1];
          at := mod(at + k, n);
        end for;
        amplitudes[k + 1] := (if k == 0 then 1 else 2)*sqrt(re^2 + im^2)/n;
        phases[k + 1] := atan2(im, re);
      end for;
    end rawRealFFT;
  end Internal;
end FastFourierTransform;
