model UnknownBase
  extends Bass;
end UnknownBase;

model Base
  Real x = 1;
end Base;
