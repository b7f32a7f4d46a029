model BuiltIn
  function cos
    input Real u;
    output Real y;
    external "builtin" y = cos(u);
  end cos;
  Real x = cos(time);
end BuiltIn;
