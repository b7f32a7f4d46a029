within Half;
model Use
  Half.Inner.Part p;
end Use;
