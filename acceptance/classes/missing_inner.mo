package MissingInner
  model World
    parameter Real g = 9.81;
  end World;
  model User
    outer World world;
    Real y = world.g*time;
  end User;
  model M
    User u;
  end M;
end MissingInner;
