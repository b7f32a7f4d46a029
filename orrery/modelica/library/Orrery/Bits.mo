within Orrery;
package Bits
  "Numbers of 64 bits, from the lowest on, as random numbers are made of them"

  function fromIntegers "Of two Integers of 32 bits"
    input Integer low;
    input Integer high;
    output Integer bits[64];
  protected
    Integer rest[2] = {mod(low, 4294967296), mod(high, 4294967296)};
  algorithm
    for i in 1:32 loop
      bits[i] := mod(rest[1], 2);
      bits[32 + i] := mod(rest[2], 2);
      rest := {div(rest[1], 2), div(rest[2], 2)};
    end for;
  end fromIntegers;

  function toIntegers "The lower and the higher 32 bits, with a sign each"
    input Integer bits[64];
    output Integer numbers[2] = {-bits[32], -bits[64]};
  algorithm
    for i in 31:(-1):1 loop
      numbers := {2*numbers[1] + bits[i], 2*numbers[2] + bits[32 + i]};
    end for;
  end toIntegers;

  function toFraction "Between 0 and 1, of a number with a sign"
    input Integer bits[64];
    output Real fraction;
  protected
    Integer numbers[2] = toIntegers(bits);
  algorithm
    fraction := (4294967296.0*numbers[2] + mod(numbers[1], 4294967296))
      /18446744073709551616.0 + 0.5;
  end toFraction;

  function exclusiveOr "Bit by bit"
    input Integer a[64];
    input Integer b[64];
    output Integer c[64];
  algorithm
    for i in 1:64 loop
      c[i] := mod(a[i] + b[i], 2);
    end for;
  end exclusiveOr;

  function xorShift
    "A number or, exclusively, itself n bits higher, or lower if n is negative"
    input Integer a[64];
    input Integer n;
    output Integer b[64] = a;
  algorithm
    for i in max(1, 1 + n):min(64, 64 + n) loop
      b[i] := mod(a[i] + a[i - n], 2);
    end for;
  end xorShift;

  function sum "Without what goes beyond 64 bits"
    input Integer a[64];
    input Integer b[64];
    output Integer c[64];
  protected
    Integer rest = 0;
  algorithm
    for i in 1:64 loop
      rest := rest + a[i] + b[i];
      c[i] := mod(rest, 2);
      rest := div(rest, 2);
    end for;
  end sum;

  function product "Without what goes beyond 64 bits"
    input Integer a[64];
    input Integer b[4] "16 bits each";
    output Integer c[64];
  protected
    Integer parts[4] "16 bits each, of a";
    Integer rest = 0;
    Integer part;
  algorithm
    for k in 1:4 loop
      part := 0;
      for i in 16:(-1):1 loop
        part := 2*part + a[16*(k - 1) + i];
      end for;
      parts[k] := part;
    end for;
    for k in 1:4 loop
      for j in 1:k loop
        rest := rest + parts[j]*b[k + 1 - j];
      end for;
      part := mod(rest, 65536);
      rest := div(rest, 65536);
      for i in 1:16 loop
        c[16*(k - 1) + i] := mod(part, 2);
        part := div(part, 2);
      end for;
    end for;
  end product;
end Bits;
