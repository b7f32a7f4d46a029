model Tree
  Branch b;
end Tree;

model Branch
  Tree t;
end Branch;

model ContainsItselfTwiceRemoved
  Tree t;
end ContainsItselfTwiceRemoved;
