model UnclosedComment
  Real x; /* the rest is gone
equation
  x = 1;
end UnclosedComment;