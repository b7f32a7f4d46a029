package Varying "Clocks whose interval varies (specification 3.6, section 16.3)"
  model Counter "Ticks at 0, 2, 3, 4, 5, 6 s"
    Integer next(start = 2);
    Integer count(start = 0);
    Clock u = Clock(next, 1);
  equation
    when u then
      count = previous(count) + 1;
      next = if count >= 2 then 1 else previous(next);
    end when;
    annotation(experiment(StopTime = 6.5));
  end Counter;

  model Milliseconds "Ticks at 0, 3, 7, 12, 18, ... ms"
    Integer next(start = 2);
    Integer count(start = 0);
    Real last;
    Real since;
  equation
    when Clock(next, 1000) then
      next = previous(next) + 1;
      count = previous(count) + 1;
      last = sample(time);
      since = interval(count);
    end when;
    annotation(experiment(StopTime = 0.0175));
  end Milliseconds;

  model Seconds "Ticks at 0, 1, 3, 7, 15 s"
    Real step(start = 0.5);
    Integer count(start = 0);
    Real first(start = 0);
  equation
    when Clock(step) then
      step = 2*previous(step);
      count = previous(count) + 1;
      first = if firstTick(count) then interval(count) else previous(first);
    end when;
    annotation(experiment(StopTime = 10));
  end Seconds;

  model Derived "Clocks that are derived from Counter's"
    extends Counter(u = Clock(next, 1));
    Integer halves(start = 0);
    Integer seldom(start = 0);
    Integer shifted(start = 0);
    Integer back(start = 0);
    Clock fast = superSample(u, 2);
    Clock slow = subSample(u, 2);
    Clock later = shiftSample(u, 1, 2);
    Clock earlier = backSample(shiftSample(u, 2), 1);
    Real of_fast(start = 0);
  equation
    when fast then
      halves = previous(halves) + 1;
      of_fast = sample(time);
    end when;
    when slow then
      seldom = previous(seldom) + 1;
    end when;
    when later then
      shifted = previous(shifted) + 1;
    end when;
    when earlier then
      back = previous(back) + 1;
    end when;
    annotation(experiment(StopTime = 6.4));
  end Derived;

  model Adaptive "Steps of implicit Euler as long as each tick says"
    Real step(start = 0.1);
    Real x(start = 1);
    Clock c = Clock(step);
  equation
    when Clock(c, solverMethod = "ImplicitEuler") then
      der(x) = -x;
    end when;
    when c then
      step = previous(step) + 0.1;
    end when;
    annotation(experiment(StopTime = 1.5));
  end Adaptive;

  model Stuck "An interval that is not positive"
    Integer next(start = 2);
  equation
    when Clock(next) then
      next = previous(next) - 1;
    end when;
    annotation(experiment(StopTime = 3));
  end Stuck;
end Varying;
