within Loose;
model Alone
  Loose.Part p;
end Alone;
