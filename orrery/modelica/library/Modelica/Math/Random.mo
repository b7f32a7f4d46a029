within Modelica.Math;
package Random "Random numbers"
  package Generators "Functions from a state to a number and the next state"
    package Xorshift64star "xorshift64*, of S. Vigna, 2014"
      constant Integer nState = 2 "Integers of 32 bits";

      function initialState "The state that two seeds give, mixed"
        input Integer localSeed;
        input Integer globalSeed;
        output Integer state[nState];
      protected
        Real r;
      algorithm
        state := if localSeed == 0 and globalSeed == 0 then {126247697, 0}
          else {localSeed, globalSeed};
        for i in 1:10 loop
          (r, state) := random(state);
        end for;
      end initialState;

      function random "A number between 0 and 1"
        input Integer stateIn[nState];
        output Real result;
        output Integer stateOut[nState];
      protected
        Integer x[64];
      algorithm
        x := .Orrery.Bits.fromIntegers(stateIn[1], stateIn[2]);
        x := .Orrery.Bits.xorShift(x, -12);
        x := .Orrery.Bits.xorShift(x, 25);
        x := .Orrery.Bits.xorShift(x, -27);
        x := .Orrery.Bits.product(x, {56605, 20332, 62609, 9541});
        stateOut := .Orrery.Bits.toIntegers(x);
        result := .Orrery.Bits.toFraction(x);
      end random;
    end Xorshift64star;

    package Xorshift128plus "xorshift128+, of S. Vigna, 2014"
      constant Integer nState = 4 "Integers of 32 bits";

      function initialState "The state that two seeds give"
        input Integer localSeed;
        input Integer globalSeed;
        output Integer state[nState] =
          Utilities.initialStateWithXorshift64star(localSeed, globalSeed, nState);
      algorithm
      end initialState;

      function random "A number between 0 and 1"
        input Integer stateIn[nState];
        output Real result;
        output Integer stateOut[nState];
      protected
        Integer a[64];
        Integer b[64];
        Integer x[64];
        Integer numbers[2];
      algorithm
        a := .Orrery.Bits.fromIntegers(stateIn[1], stateIn[2]);
        b := .Orrery.Bits.fromIntegers(stateIn[3], stateIn[4]);
        a := .Orrery.Bits.xorShift(a, 23);
        a := .Orrery.Bits.xorShift(a, -17);
        x := .Orrery.Bits.exclusiveOr(a, .Orrery.Bits.xorShift(b, -26));
        x := .Orrery.Bits.sum(x, b);
        numbers := .Orrery.Bits.toIntegers(x);
        stateOut := {stateIn[3], stateIn[4], numbers[1], numbers[2]};
        result := .Orrery.Bits.toFraction(x);
      end random;
    end Xorshift128plus;

    package Xorshift1024star "xorshift1024*, of S. Vigna, 2014"
      constant Integer nState = 33
        "16 numbers of two Integers of 32 bits, and which of them is the next";

      function initialState "The state that two seeds give"
        input Integer localSeed;
        input Integer globalSeed;
        output Integer state[nState] =
          Utilities.initialStateWithXorshift64star(localSeed, globalSeed, nState);
      algorithm
      end initialState;

      function random "A number between 0 and 1"
        input Integer stateIn[nState];
        output Real result;
        output Integer stateOut[nState] = stateIn;
      protected
        Integer p = mod(stateIn[33], 16);
        Integer q = mod(stateIn[33] + 1, 16);
        Integer a[64];
        Integer b[64];
        Integer numbers[2];
      algorithm
        a := .Orrery.Bits.fromIntegers(stateIn[2*p + 1], stateIn[2*p + 2]);
        b := .Orrery.Bits.fromIntegers(stateIn[2*q + 1], stateIn[2*q + 2]);
        b := .Orrery.Bits.xorShift(b, 31);
        b := .Orrery.Bits.xorShift(b, -11);
        a := .Orrery.Bits.xorShift(a, -30);
        a := .Orrery.Bits.exclusiveOr(a, b);
        numbers := .Orrery.Bits.toIntegers(a);
        stateOut[2*q + 1] := numbers[1];
        stateOut[2*q + 2] := numbers[2];
        stateOut[33] := q;
        a := .Orrery.Bits.product(a, {64949, 21655, 35284, 4198});
        result := .Orrery.Bits.toFraction(a);
      end random;
    end Xorshift1024star;
  end Generators;

  package Utilities "Seeds"
    function initialStateWithXorshift64star
      "States of that generator, one after the other"
      input Integer localSeed;
      input Integer globalSeed;
      input Integer nState(min = 1) "Integers of 32 bits";
      output Integer state[nState];
    protected
      Integer pair[2] =
        Generators.Xorshift64star.initialState(localSeed, globalSeed);
      Real r;
    algorithm
      for i in 1:nState loop
        if i > 2 and mod(i, 2) == 1 then
          (r, pair) := Generators.Xorshift64star.random(pair);
        end if;
        state[i] := pair[2 - mod(i, 2)];
      end for;
    end initialStateWithXorshift64star;

    function initializeImpureRandom "A number to call impureRandom with"
      input Integer seed;
      output Integer id;
    protected
      Integer state[33];

      impure function setState
        input Integer state[33];
        input Integer id;
        external "C" orrery_set_impure_random(state, id);
      end setState;
    algorithm
      id := 715827883;
      state := initialStateWithXorshift64star(id, seed, 33);
      setState(state, id);
    end initializeImpureRandom;

    impure function impureRandom
      "The next number between 0 and 1, of a hidden state"
      input Integer id "From initializeImpureRandom, which sets that state";
      output Real y;
      external "C" y = orrery_impure_random(id);
    end impureRandom;

    impure function impureRandomInteger "The same, a number from imin to imax"
      input Integer id;
      input Integer imin = 1;
      input Integer imax = 268435456;
      output Integer y;
    protected
      Real r;
    algorithm
      r := impureRandom(id);
      y := min(imax, integer(r*(imax - imin + 1)) + imin);
    end impureRandomInteger;

    function automaticGlobalSeed
      "A seed that is the same in each run, so that runs can be repeated"
      output Integer seed;
    algorithm
      seed := 30020;
    end automaticGlobalSeed;
  end Utilities;
end Random;
