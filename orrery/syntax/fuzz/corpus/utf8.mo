model Utf8 "é€" // é
  /* c */ Real x;
end Utf8;
