within Modelica.Blocks;
package Icons "Empty blocks to inherit from, so that blocks have icons"
  partial block Block "Any block" end Block;
  partial block BooleanBlock "A block of Boolean signals" end BooleanBlock;
  partial block DiscreteBlock "A sampled block" end DiscreteBlock;
  partial block IntegerBlock "A block of Integer signals" end IntegerBlock;
  partial block PartialBooleanBlock "A block of Boolean signals"
  end PartialBooleanBlock;
end Icons;
