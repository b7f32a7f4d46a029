#include "orrery/compile/units/check_units.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/units.h"
#include "orrery/compile/compile.h"
#include "orrery/symbolic/expr_math.h"

namespace orrery::compile::internal {
namespace {

using testing::HasSubstr;

// A model written down as formulas, perhaps behind a text.
class Sketch {
 public:
  explicit Sketch(std::string text = {})
      : source_(text.empty() ? nullptr
                             : std::make_shared<const SourceFile>(
                                   "sketch.mo", std::move(text))) {}

  FlatModel flat;

  Expr Variable(const std::string& name,
                const std::string& unit = {},
                Shape shape = {}) {
    orrery::Variable variable;
    variable.symbol =
        flat.graph->Symbol({.name = name, .shape = std::move(shape)});
    variable.notes.Edit().unit = unit;
    flat.variables.push_back(variable);
    return variable.symbol;
  }

  Expr Parameter(const std::string& name, const std::string& unit, Expr value) {
    const Expr symbol = Variable(name, unit);
    flat.variables.back().variability = Variability::kParameter;
    flat.variables.back().binding = value;
    return symbol;
  }

  Expr Number(double value) { return flat.graph->Constant(value); }

  Expr Der(Expr x) { return flat.graph->Der(x); }

  Expr At(Expr array, Expr subscript) {
    const std::array subscripts = {subscript};
    return flat.graph->Index(array, subscripts);
  }

  Expr Counter(std::int64_t count) {
    return flat.graph->Iterator("i", {.count = count});
  }

  void Equal(Expr left, Expr right, const std::string& path = {}) {
    flat.equations.push_back({.left = left, .right = right, .path = path});
  }

  // `left = right` where `text` stands.
  void EqualAt(const std::string& text,
               Expr left,
               Expr right,
               const std::string& path = {}) {
    Equal(left, right, path);
    flat.equations.back().span = SpanOf(text);
  }

  void Connect(Expr a, Expr b, const std::string& path = {}) {
    flat.connections.push_back(
        {.a = {.variable = a}, .b = {.variable = b}, .path = path});
  }

  [[nodiscard]] SourceSpan SpanOf(const std::string& text) const {
    const std::size_t at = source_->text().find(text);
    return {source_,
            static_cast<std::uint32_t>(at),
            static_cast<std::uint32_t>(at + text.size())};
  }

  [[nodiscard]] std::string Warnings() const {
    Diagnostics diagnostics;
    CheckUnits(flat, diagnostics);
    return Render(diagnostics.list());
  }

 private:
  std::shared_ptr<const SourceFile> source_;
};

// Contradictions in equations -----------------------------------------------

TEST(CheckUnitsTest, NamesBothSidesOfAnEquationOfDifferentDimensions) {
  Sketch s(
      "model Circuit\n"
      "  Resistor r;\n"
      "equation\n"
      "  v = i;\n"
      "end Circuit;\n");
  s.EqualAt("v = i", s.Variable("r.v", "V"), s.Variable("r.i", "A"), "r");
  EXPECT_EQ(s.Warnings(),
            "sketch.mo:4:3: warning: r: the two sides have different "
            "dimensions: 'r.v' is in V (kg.m2/(s3.A)), 'r.i' is in A\n"
            "    4 |   v = i;\n"
            "      |   ^~~~~ a factor with a unit may be missing\n");
}

TEST(CheckUnitsTest, NamesTheUnitThatNoOtherEquationConfirms) {
  Sketch s;
  const Expr v = s.Variable("v", "V");
  const Expr i = s.Variable("i", "A");
  s.Equal(v, s.Variable("source.v", "V"));
  s.Equal(i, s.Variable("source.i", "A"));
  s.Equal(v, s.Variable("resistor.R", "Ohm.m") * i);
  EXPECT_EQ(s.Warnings(),
            "warning: the two sides have different dimensions: 'v' is in V "
            "(kg.m2/(s3.A)), 'resistor.R*i' is in kg.m3/(s3.A); check the "
            "unit of 'resistor.R'\n");
}

TEST(CheckUnitsTest, SuspectsTheSumOfTermsThatAgree) {
  Sketch s;
  s.Equal(s.Variable("total", "A"),
          s.Variable("a", "V") + s.Variable("b", "V"));
  EXPECT_EQ(s.Warnings(),
            "warning: the two sides have different dimensions: 'total' is in "
            "A, 'a + b' is in V (kg.m2/(s3.A)); check the unit of 'total'\n");
}

TEST(CheckUnitsTest, ReportsMetresAddedToSeconds) {
  Sketch s;
  s.Equal(s.Variable("y"), s.Variable("x", "m") + s.Variable("t", "s"), "car");
  EXPECT_EQ(s.Warnings(),
            "warning: car: 'x + t' adds different dimensions: 'x' is in m, "
            "'t' is in s; a factor with a unit may be missing\n");
}

TEST(CheckUnitsTest, ReportsOnlyTheInnermostContradictionOfAnEquation) {
  Sketch s;
  const Expr x = s.Variable("x", "m");
  const Expr t = s.Variable("t", "s");
  s.Equal(s.Variable("y", "kg"), sin(x - t) + min(x, t));
  EXPECT_EQ(s.Warnings(),
            "warning: 'x - t' subtracts different dimensions: 'x' is in m, "
            "'t' is in s; a factor with a unit may be missing\n");
}

TEST(CheckUnitsTest, ReportsAFormulaThatEquationsShareOnce) {
  Sketch s;
  const Expr wrong = s.Variable("x", "m") + s.Variable("t", "s");
  s.Equal(s.Variable("y"), wrong);
  s.Equal(s.Variable("z"), wrong * 2);
  EXPECT_EQ(s.Warnings(),
            "warning: 'x + t' adds different dimensions: 'x' is in m, 't' is "
            "in s; a factor with a unit may be missing\n");
}

TEST(CheckUnitsTest, DividesDerivativesBySeconds) {
  Sketch s;
  const Expr x = s.Variable("x", "m");
  s.Equal(s.Der(x), s.Variable("v", "m/s"));
  EXPECT_EQ(s.Warnings(), "");
  s.Equal(s.Der(x), x);
  EXPECT_EQ(s.Warnings(),
            "warning: the two sides have different dimensions: 'der(x)' is in "
            "m/s, 'x' is in m; a factor with a unit may be missing\n");
}

TEST(CheckUnitsTest, TakesNoUnitAwayByADelayAPastOrAnEvent) {
  Sketch s;
  const Expr x = s.Variable("x", "m");
  ExprGraph& graph = *s.flat.graph;
  const Expr late = graph.Delay(x, s.Number(1), s.Number(1));
  s.Equal(late, s.Variable("y", "m"));
  s.Equal(graph.NoEvent(abs(x)), s.Variable("z", "m"));
  EXPECT_EQ(s.Warnings(), "");
  s.Equal(late, s.Variable("t", "s"));
  EXPECT_THAT(s.Warnings(), HasSubstr("'delay(x, 1, 1)' is in m"));
}

TEST(CheckUnitsTest, HalvesExponentsUnderARoot) {
  Sketch s;
  const Expr root = sqrt(s.Variable("p", "Pa") / s.Variable("rho", "kg/m3"));
  s.Equal(s.Variable("v", "m/s"), root);
  EXPECT_EQ(s.Warnings(), "");
  s.Equal(s.Variable("q", "m3/s"), root);
  EXPECT_EQ(s.Warnings(),
            "warning: the two sides have different dimensions: 'q' is in "
            "m3/s, 'sqrt(p/rho)' is in m/s; check the unit of 'q'\n");
}

TEST(CheckUnitsTest, RaisesToRationalExponents) {
  Sketch s;
  const Expr h = s.Variable("h", "m");
  s.Equal(s.Variable("a", "m(3/2)"), pow(h, 1.5));
  s.Equal(s.Variable("b", "1/m(1/3)"), pow(h, -1.0 / 3));
  s.Equal(s.Variable("c", "m3"), pow(h, 3.0));
  EXPECT_EQ(s.Warnings(), "");
  s.Equal(s.Variable("d", "m2"), pow(h, 1.5));
  EXPECT_EQ(s.Warnings(),
            "warning: the two sides have different dimensions: 'd' is in m2, "
            "'h^1.5' is in m(3/2); check the unit of 'd'\n");
}

TEST(CheckUnitsTest, WantsAPureNumberAsExponent) {
  Sketch s;
  s.Equal(s.Variable("y"), pow(2.0, s.Variable("t", "s")));
  EXPECT_EQ(s.Warnings(),
            "warning: '2^t' needs a pure number as exponent: 't' is in s; "
            "check the unit of 't'\n");
}

TEST(CheckUnitsTest, WantsPureNumbersOrAnglesInFunctions) {
  Sketch s;
  const Expr tau = s.Variable("tau", "s");
  const Expr v = s.Variable("v", "V");
  s.Equal(v, s.Variable("a", "V") * sin(s.Variable("phi", "deg")));
  s.Equal(v, s.Variable("b", "V") * exp(-s.flat.time / tau));
  EXPECT_EQ(s.Warnings(), "");
  s.Equal(v, s.Variable("c", "V") * exp(-tau));
  EXPECT_EQ(s.Warnings(),
            "warning: 'exp(-tau)' needs a pure number: '-tau' is in s; check "
            "the unit of 'tau'\n");
}

TEST(CheckUnitsTest, TakesTheResultOfAFunctionForAPureNumber) {
  Sketch s;
  s.Equal(s.Variable("v", "V"), exp(s.Variable("x", "1")));
  EXPECT_EQ(s.Warnings(),
            "warning: the two sides have different dimensions: 'v' is in V "
            "(kg.m2/(s3.A)), 'exp(x)' is a pure number; check the unit of "
            "'v'\n");
}

TEST(CheckUnitsTest, ComparesTheSidesOfARelation) {
  Sketch s;
  const Expr x = s.Variable("x", "m");
  s.Equal(s.Variable("y"), select(Less(x, s.Variable("t", "s")), x, 0.0));
  EXPECT_EQ(s.Warnings(),
            "warning: 'x < t' compares different dimensions: 'x' is in m, 't' "
            "is in s; a factor with a unit may be missing\n");
}

TEST(CheckUnitsTest, ComparesTheBranchesOfAnIfExpression) {
  Sketch s;
  s.Equal(
      s.Variable("y"),
      select(Less(s.flat.time, 1), s.Variable("x", "m"), s.Variable("t", "h")));
  EXPECT_EQ(s.Warnings(),
            "warning: 'if time < 1 then x else t' has branches of different "
            "dimensions: 'x' is in m, 't' is in h (s); a factor with a unit "
            "may be missing\n");
}

TEST(CheckUnitsTest, TellsTimeFromLength) {
  Sketch s;
  s.Equal(s.Variable("x", "m"), s.flat.time);
  EXPECT_EQ(s.Warnings(),
            "warning: the two sides have different dimensions: 'x' is in m, "
            "'time' is in s; check the unit of 'x'\n");
}

TEST(CheckUnitsTest, ChecksInitialEquations) {
  Sketch s;
  s.flat.initial_equations.push_back(
      {.left = s.Variable("x", "m"), .right = s.Variable("v", "m/s")});
  EXPECT_EQ(s.Warnings(),
            "warning: the two sides have different dimensions: 'x' is in m, "
            "'v' is in m/s; a factor with a unit may be missing\n");
}

// Arrays and loops ----------------------------------------------------------

TEST(CheckUnitsTest, LooksThroughSumsOverLoops) {
  Sketch s;
  const Expr mass = s.Variable("mass", "kg", {3});
  const Expr i = s.Counter(3);
  const Expr total = s.flat.graph->Loop(Op::kSum, i, s.At(mass, i));
  s.Equal(s.Variable("total", "kg"), total);
  EXPECT_EQ(s.Warnings(), "");
  s.Equal(s.Variable("weight", "N"), total);
  EXPECT_EQ(s.Warnings(),
            "warning: the two sides have different dimensions: 'weight' is in "
            "N (kg.m/s2), 'sum(mass[i] for i in 1:3)' is in kg; check the "
            "unit of 'weight'\n");
}

TEST(CheckUnitsTest, RaisesProductsOverLoopsToTheirCount) {
  Sketch s;
  const Expr edge = s.Variable("edge", "m", {3});
  const Expr i = s.Counter(3);
  s.Equal(s.Variable("volume", "m3"),
          s.flat.graph->Loop(Op::kProduct, i, s.At(edge, i)));
  EXPECT_EQ(s.Warnings(), "");
}

TEST(CheckUnitsTest, ComparesWholeArraysAndElements) {
  Sketch s;
  const Expr x = s.Variable("x", "m", {2});
  const Expr v = s.Variable("v", "m/s", {2});
  s.Equal(s.Der(x), v);
  const Expr i = s.Counter(2);
  s.Equal(x, s.flat.graph->Loop(Op::kBuild, i, s.At(v, i)));
  EXPECT_EQ(s.Warnings(),
            "warning: the two sides have different dimensions: 'x' is in m, "
            "'{v[i] for i in 1:2}' is in m/s; a factor with a unit may be "
            "missing\n");
}

TEST(CheckUnitsTest, LetsAnArrayHoldQuantitiesOfSeveralKinds) {
  Sketch s;
  const std::array state = {s.Variable("x", "m"), s.Variable("v", "m/s")};
  s.Equal(s.Variable("y", {}, {2}), s.flat.graph->MakeArray(state));
  s.Equal(s.Variable("z", "m", {2}), s.flat.graph->MakeArray(state));
  EXPECT_EQ(s.Warnings(), "");
}

TEST(CheckUnitsTest, TakesAnArrayOfOneKindAndZerosForThatKind) {
  Sketch s;
  const std::array force = {s.Variable("f", "N"), s.Number(0)};
  s.Equal(s.Variable("p", "Pa", {2}), s.flat.graph->MakeArray(force));
  EXPECT_EQ(s.Warnings(),
            "warning: the two sides have different dimensions: 'p' is in Pa "
            "(kg/(m.s2)), '{f, 0}' is in N (kg.m/s2); a factor with a unit "
            "may be missing\n");
}

// Declarations --------------------------------------------------------------

TEST(CheckUnitsTest, TellsOnceOfAUnitThatCannotBeRead) {
  Sketch s;
  s.Variable("motor.tau", "Nm");
  s.Variable("brake.tau", "Nm");
  EXPECT_EQ(s.Warnings(),
            "warning: cannot read the unit 'Nm' of 'motor.tau': there is no "
            "unit 'Nm'; a product is written with a dot: 'N.m'\n");
}

TEST(CheckUnitsTest, LeavesAUnitInATextToItsReader) {
  Sketch s("model M\n  Real tau(unit = \"Nm\");\nend M;\n");
  s.Variable("motor.tau", "Nm");
  s.flat.variables.back().notes.Edit().span = s.SpanOf("tau");
  EXPECT_EQ(s.Warnings(), "");
}

TEST(CheckUnitsTest, TakesAQuantityWhoseUnitCannotBeReadForAnything) {
  Sketch s;
  const Expr x = s.Variable("x", "furlong");
  s.Equal(x, s.Variable("t", "s"));
  s.Equal(x, s.Variable("v", "V"));
  EXPECT_THAT(s.Warnings(), HasSubstr("cannot read the unit 'furlong'"));
  EXPECT_THAT(s.Warnings(), testing::Not(HasSubstr("dimension")));
}

TEST(CheckUnitsTest, ChecksBindingsOfParameters) {
  Sketch s;
  const Expr resistance = s.Parameter("R", "Ohm", s.Number(100));
  const Expr capacity = s.Parameter("C", "F", s.Number(1e-6));
  s.Parameter("tau", "s", resistance * capacity);
  EXPECT_EQ(s.Warnings(), "");
  s.Parameter("T", "s", resistance / capacity);
  EXPECT_EQ(s.Warnings(),
            "warning: the value of 'T' has another dimension: 'T' is in s, "
            "'R/C' is in kg2.m4/(s7.A4); a factor with a unit may be "
            "missing\n");
}

TEST(CheckUnitsTest, ChecksStartValues) {
  Sketch s;
  const Expr height = s.Parameter("h", "m", s.Number(2));
  s.Variable("v", "m/s");
  s.flat.variables.back().start = height;
  EXPECT_EQ(s.Warnings(),
            "warning: the start value of 'v' has another dimension: 'v' is in "
            "m/s, 'h' is in m; a factor with a unit may be missing\n");
}

// Connections ---------------------------------------------------------------

TEST(CheckUnitsTest, ReportsVoltsConnectedToAmperes) {
  Sketch s;
  s.Connect(s.Variable("a.v", "V"), s.Variable("b.i", "A"), "circuit");
  EXPECT_EQ(s.Warnings(),
            "warning: circuit: the connection joins different dimensions: "
            "'a.v' is in V (kg.m2/(s3.A)), 'b.i' is in A; connect quantities "
            "of one kind\n");
}

TEST(CheckUnitsTest, ReportsConnectedUnitsOfDifferentScale) {
  Sketch s;
  s.Connect(s.Variable("a.x", "mm"), s.Variable("b.x", "m"));
  s.Connect(s.Variable("a.T", "degC"), s.Variable("b.T", "K"));
  EXPECT_EQ(s.Warnings(),
            "warning: the connection joins 'a.x' in mm and 'b.x' in m, and "
            "nothing converts; use one unit, or convert between them\n"
            "warning: the connection joins 'a.T' in degC and 'b.T' in K, and "
            "nothing converts; use one unit, or convert between them\n");
}

TEST(CheckUnitsTest, ReportsEquatedUnitsOfDifferentScale) {
  Sketch s;
  const Expr x = s.Variable("x", "mm");
  const Expr y = s.Variable("y", "m", {2});
  s.Equal(x, s.At(y, s.flat.graph->Constant(1, ValueType::kInteger)));
  s.Equal(s.Variable("z", "m"), -x);
  s.Equal(s.Variable("T_c", "degC"), s.Variable("T_k", "K"));
  s.Equal(s.Variable("n", "rpm"), s.Variable("f", "Hz"));
  EXPECT_EQ(s.Warnings(),
            "warning: 'x' is in mm, 'y[1]' in m, and nothing converts; "
            "multiply 'y[1]' by 1000\n"
            "warning: 'z' is in m, '-x' in mm, and nothing converts; divide "
            "'-x' by 1000\n"
            "warning: 'T_c' is in degC, 'T_k' in K, and nothing converts; "
            "convert one of them, or use one unit\n"
            "warning: 'n' is in rpm, 'f' in Hz, and nothing converts; convert "
            "one of them, or use one unit\n");
}

TEST(CheckUnitsTest, AcceptsTwoNamesOfOneUnit) {
  Sketch s;
  s.Connect(s.Variable("a", "J"), s.Variable("b", "N.m"));
  s.Connect(s.Variable("c", "rad/s"), s.Variable("d", "1/s"));
  s.Connect(s.Variable("e", "l/s"), s.Variable("f", "dm3/s"));
  s.Connect(s.Variable("g", "g/cm3"), s.Variable("h", "kg/l"));
  s.Connect(s.Variable("i", "1/min"), s.Variable("j", "min-1"));
  EXPECT_EQ(s.Warnings(), "");
}

// Quiet ---------------------------------------------------------------------

TEST(CheckUnitsTest, AcceptsAnElectricCircuit) {
  Sketch s;
  const Expr v = s.Variable("v", "V");
  const Expr i = s.Variable("i", "A");
  const Expr v_r = s.Variable("v_r", "V");
  const Expr v_l = s.Variable("v_l", "V");
  const Expr v_c = s.Variable("v_c", "mV");
  s.Equal(v_r, s.Parameter("R", "Ohm", s.Number(10)) * i);
  s.Equal(s.Parameter("L", "mH", s.Number(1)) * s.Der(i), v_l);
  s.Equal(i, s.Parameter("C", "F", s.Number(1e-6)) * s.Der(v_c));
  s.Equal(v_r + v_l + v_c, v);
  s.Equal(v,
          s.Parameter("V0", "V", s.Number(1)) *
              sin(s.Parameter("w", "rad/s", s.Number(50)) * s.flat.time +
                  s.Parameter("phi", "rad", s.Number(0))));
  s.Equal(s.Number(0), i + s.Variable("source.i", "A"));
  s.Equal(s.Variable("P", "W"), v * i);
  EXPECT_EQ(s.Warnings(), "");
}

TEST(CheckUnitsTest, AcceptsMechanics) {
  Sketch s;
  const Expr phi = s.Variable("phi", "rad");
  const Expr w = s.Variable("w", "rad/s");
  const Expr m = s.Variable("m", "kg");
  const Expr l = s.Variable("l", "m");
  const Expr v = s.Variable("v", "m/s");
  s.Equal(s.Der(phi), w);
  s.Equal(m * l * l * s.Der(w),
          -m * s.Variable("g", "m/s2") * l * sin(phi) -
              s.Variable("d", "N.m.s/rad") * w);
  s.Equal(s.Variable("E", "J"), 0.5 * m * pow(v, 2.0));
  s.Equal(s.Variable("drag", "N"),
          0.5 * s.Variable("c_d", "1") * s.Variable("rho", "kg/m3") *
              s.Variable("A", "m2") * v * abs(v));
  s.Equal(s.Variable("friction", "N"),
          s.Variable("f_c", "N") * sign(v) +
              select(Less(abs(v), 1e-3), 0.0, s.Variable("f_v", "N.s/m") * v));
  s.Equal(v, l * w);
  s.Equal(phi, atan2(s.Variable("y", "m"), s.Variable("x", "m")));
  EXPECT_EQ(s.Warnings(), "");
}

TEST(CheckUnitsTest, AcceptsThermodynamics) {
  Sketch s;
  const Expr temperature = s.Variable("T", "K");
  const Expr ambient = s.Variable("T_env", "K");
  const Expr gas = s.Variable("R", "J/(mol.K)");
  s.Equal(s.Variable("C", "J/K") * s.Der(temperature),
          s.Variable("G", "W/K") * (ambient - temperature) +
              s.Variable("sigma", "W/(m2.K4)") * s.Variable("A", "m2") *
                  (pow(ambient, 4.0) - pow(temperature, 4.0)));
  s.Equal(s.Variable("p", "Pa") * s.Variable("V", "m3"),
          s.Variable("n", "mol") * gas * temperature);
  s.Equal(s.Variable("k", "1/s"),
          s.Variable("k0", "1/s") *
              exp(-s.Variable("E", "J/mol") / (gas * temperature)));
  s.Equal(s.Variable("T_c", "degC"), temperature - 273.15);
  s.Equal(s.Variable("s", "J/(kg.K)"),
          s.Variable("c_p", "J/(kg.K)") * log(temperature / ambient));
  EXPECT_EQ(s.Warnings(), "");
}

TEST(CheckUnitsTest, AcceptsAHeatedRodAlongAnArray) {
  Sketch s;
  const Expr rod = s.Variable("T", "K", {10});
  const Expr i = s.flat.graph->Iterator("i", {.start = 2, .count = 8});
  const Expr one = s.flat.graph->Constant(1, ValueType::kInteger);
  const Expr dx = s.Parameter("dx", "m", s.Variable("L", "m") / 10);
  s.Equal(s.Der(s.At(rod, i)),
          s.Variable("a", "m2/s") *
              (s.At(rod, i - one) - 2 * s.At(rod, i) + s.At(rod, i + one)) /
              pow(dx, 2.0));
  s.flat.equations.back().iterators = {i};
  EXPECT_EQ(s.Warnings(), "");
}

TEST(CheckUnitsTest, IsSilentAboutFormulasWithoutUnits) {
  Sketch s;
  s.Variable("elsewhere", "kg");
  const Expr x = s.Variable("x");
  const Expr y = s.Variable("y");
  const Expr t = s.flat.time;
  s.Equal(s.Der(x), x * (1 - y) + sin(t));
  s.Equal(s.Der(y), t + t * t + exp(-t) + pow(2.0, t) + s.Der(t));
  s.Equal(x, select(Less(t, t * t), t, t * t));
  s.Connect(x, y);
  EXPECT_EQ(s.Warnings(), "");
}

TEST(CheckUnitsTest, LetsNumbersCarryUnits) {
  Sketch s;
  const Expr x = s.Variable("x", "m");
  const Expr h = s.Variable("h", "m");
  s.Equal(s.Der(s.Variable("v", "m/s")), -9.81 * sin(x / h));
  s.Equal(s.Variable("u", "V"), sin(s.flat.time));
  s.Equal(x, s.Number(3));
  s.Equal(s.Variable("flow", "m3/s"), 4.43 * sqrt(h));
  s.Equal(h, x + 1);
  EXPECT_EQ(s.Warnings(), "");
}

TEST(CheckUnitsTest, KeepsQuietAboutWhatItCannotKnow) {
  Sketch s;
  const Expr x = s.Variable("x", "m");
  const Expr t = s.Variable("t", "s");
  auto table = std::make_shared<const OpaqueFunction>(OpaqueFunction{
      .name = "table", .num_inputs = 1, .num_outputs = 1, .evaluate = {}});
  const std::array arguments = {x};
  s.Equal(t, s.flat.graph->Output(s.flat.graph->Opaque(table, arguments), 0));
  s.Equal(t, pow(x, s.Variable("n", "1")));
  s.Equal(t, ceil(x));
  s.Equal(t, pow(x, 0.123456789));
  EXPECT_EQ(s.Warnings(), "");
}

TEST(CheckUnitsTest, TakesExponentsBeyondAllBoundsForUnknown) {
  Sketch s;
  const Expr x = s.Variable("x", "m");
  Expr power = x;
  for (int i = 0; i < 40; ++i) {
    power = power * power;
  }
  s.Equal(x, power);
  EXPECT_EQ(s.Warnings(), "");
}

TEST(CheckUnitsTest, WarnsOnceOfAnEquationInManyInstances) {
  Sketch s("equation\n  v = i;\n");
  for (const std::string name : {"r1", "r2", "r3"}) {
    s.EqualAt("v = i",
              s.Variable(name + ".v", "V"),
              s.Variable(name + ".i", "A"),
              name);
  }
  EXPECT_EQ(s.Warnings(),
            "sketch.mo:2:3: warning: r1: the two sides have different "
            "dimensions: 'r1.v' is in V (kg.m2/(s3.A)), 'r1.i' is in A\n"
            "    2 |   v = i;\n"
            "      |   ^~~~~ a factor with a unit may be missing\n");
}

// The formula of `f = a*unitForce` is f = a.
TEST(CheckUnitsTest, LeavesEquationsAloneThatNameAConstantThatIsOne) {
  Sketch s("equation\n  f = a*one;\n  f = a;\n");
  const Expr f = s.Variable("f", "N");
  const Expr a = s.Variable("a", "1");
  s.EqualAt("f = a*one", f, a);
  const SourceSpan one = s.SpanOf("one");
  s.flat.ones[one.file.get()].insert(one.begin);
  EXPECT_EQ(s.Warnings(), "");
  s.EqualAt("f = a;", f, a);
  EXPECT_THAT(s.Warnings(), HasSubstr("sketch.mo:3:3: warning: the two sides"));
}

TEST(CheckUnitsTest, TakesEquationsAsTheyAreWrittenInPlaceOfTheModels) {
  Sketch s("equation\n  f = a*one;\n");
  const Expr f = s.Variable("f", "N");
  const Expr a = s.Variable("a", "1");
  s.EqualAt("f = a*one", f, a);
  const Expr one = s.flat.graph->Symbol({.name = "one"});
  orrery::Variable constant{.symbol = one,
                            .variability = Variability::kConstant};
  constant.notes.Edit().unit = "N";
  s.flat.as_written.variables.push_back(constant);
  s.flat.as_written.equations.push_back(
      {.left = f, .right = a * one, .span = s.SpanOf("f = a*one")});
  EXPECT_EQ(s.Warnings(), "");
  s.flat.as_written.variables.front().notes.Edit().unit = "m";
  EXPECT_EQ(s.Warnings(),
            "sketch.mo:2:3: warning: the two sides have different dimensions: "
            "'f' is in N (kg.m/s2), 'a*one' is in m\n"
            "    2 |   f = a*one;\n"
            "      |   ^~~~~~~~~ a factor with a unit may be missing\n");
}

TEST(CheckUnitsTest, TakesValuesAsTheyAreWrittenInPlaceOfTheModels) {
  Sketch s;
  const Expr h = s.Parameter("h", "N", s.Number(2));
  const Expr c = s.Variable("c", "kg");
  s.flat.as_written.variables.push_back(s.flat.variables.front());
  s.flat.as_written.variables.front().binding = c;
  EXPECT_EQ(s.Warnings(),
            "warning: the value of 'h' has another dimension: 'h' is in N "
            "(kg.m/s2), 'c' is in kg; a factor with a unit may be missing\n");
  static_cast<void>(h);
}

TEST(CheckUnitsTest, CountsWarningsBeyondTheLimit) {
  Sketch s;
  for (int i = 0; i < kMaxUnitWarnings + 5; ++i) {
    s.Equal(s.Variable("x" + std::to_string(i), "m"), s.Variable("t", "s"));
  }
  Diagnostics diagnostics;
  CheckUnits(s.flat, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  ASSERT_EQ(diagnostics.list().size(), kMaxUnitWarnings + 1U);
  EXPECT_EQ(Render(diagnostics.list().back()),
            "warning: 5 more contradictions of units were found; mend those "
            "above first\n");
}

TEST(CheckUnitsTest, WalksAChainOfAMillionFormulas) {
  Sketch s;
  const Expr x = s.Variable("x", "m");
  Expr chain = x;
  for (int i = 0; i < 500000; ++i) {
    chain = max(chain + x, x);
  }
  s.Equal(s.Variable("t", "s"), chain);
  EXPECT_THAT(s.Warnings(),
              HasSubstr("the two sides have different dimensions: 't' is in "
                        "s, "));
}

TEST(CheckUnitsTest, IsPartOfCompiling) {
  Sketch s;
  s.Equal(s.Variable("x", "m"), s.flat.time);
  Diagnostics diagnostics;
  const auto program = Compile(s.flat, diagnostics);
  ASSERT_NE(program, nullptr);
  EXPECT_THAT(Render(program->warnings), HasSubstr("'time' is in s"));
}

// Properties ----------------------------------------------------------------

// Grows formulas whose dimensions it knows, by rules of its own.
class Grower {
 public:
  explicit Grower(Sketch& sketch) : sketch_(sketch) {
    for (const std::string unit :
         {"m", "s", "kg", "V", "A", "K", "1", "rad", "m/s", "N.m"}) {
      Declare(UnitOrThrow(unit).dimension, unit);
    }
  }

  struct Known {
    Expr formula;
    Dimension dimension;
  };

  Known Declare(const Dimension& dimension, const std::string& unit) {
    const std::string name = "x" + std::to_string(formulas_.size());
    formulas_.push_back({sketch_.Variable(name, unit), dimension});
    return formulas_.back();
  }

  void Grow() {
    const Known a = Any();
    const Known b = Any();
    const Known c = Like(a);
    switch (*rc::gen::inRange(0, 12)) {
      case 0:
        return Keep(a.formula * b.formula, a.dimension * b.dimension);
      case 1:
        return Keep(a.formula / b.formula, a.dimension / b.dimension);
      case 2:
        return Keep(sqrt(abs(a.formula)), a.dimension.Power(Rational(1, 2)));
      case 3:
        return Keep(pow(a.formula, 1.5), a.dimension.Power(Rational(3, 2)));
      case 4:
        return Keep(sketch_.Der(a.formula),
                    a.dimension / Dimension::Of(BaseUnit::kSecond));
      case 5:
        return Keep(a.formula + c.formula, a.dimension);
      case 6:
        return Keep(-max(a.formula, c.formula), a.dimension);
      case 7:
        return Keep(select(Less(c.formula, a.formula), a.formula, c.formula),
                    a.dimension);
      case 8:
        return Keep(exp(a.formula / c.formula), {});
      case 9:
        return Keep(a.formula * sketch_.flat.time,
                    a.dimension * Dimension::Of(BaseUnit::kSecond));
      case 10:
        return Keep(
            sketch_.flat.graph->Loop(Op::kSum, sketch_.Counter(4), a.formula),
            a.dimension);
      default:
        return Keep(mod(a.formula, c.formula) - c.formula, a.dimension);
    }
  }

  Known Any() {
    return formulas_[*rc::gen::inRange<std::size_t>(0, formulas_.size())];
  }

 private:
  // Returns another formula of the same dimension, a new variable if need be.
  Known Like(const Known& known) {
    const std::size_t first =
        *rc::gen::inRange<std::size_t>(0, formulas_.size());
    for (std::size_t i = 0; i < formulas_.size(); ++i) {
      const Known& other = formulas_[(first + i) % formulas_.size()];
      if (other.dimension == known.dimension &&
          !(other.formula == known.formula)) {
        return other;
      }
    }
    return Declare(known.dimension, known.dimension.ToString());
  }

  // Skips exponents of more than two digits, which could not be declared.
  void Keep(Expr formula, const Dimension& dimension) {
    const auto unit = ParseUnit(dimension.ToString());
    if (!formula.is_constant() && std::holds_alternative<Unit>(unit)) {
      formulas_.push_back({formula, dimension});
    }
  }

  Sketch& sketch_;
  std::vector<Known> formulas_;
};

RC_GTEST_PROP(CheckUnitsPropertyTest,
              FormulasThatAreConsistentGiveNoWarning,
              ()) {
  Sketch s;
  Grower grower(s);
  const int size = *rc::gen::inRange(1, 60);
  for (int i = 0; i < size; ++i) {
    grower.Grow();
    const Grower::Known known = grower.Any();
    s.Equal(s.Variable("y", known.dimension.ToString()), known.formula);
  }
  RC_ASSERT(s.Warnings() == "");
}

RC_GTEST_PROP(CheckUnitsPropertyTest, AStrayFactorWithAUnitIsFound, ()) {
  Sketch s;
  Grower grower(s);
  const int size = *rc::gen::inRange(1, 60);
  for (int i = 0; i < size; ++i) {
    grower.Grow();
  }
  const Grower::Known known = grower.Any();
  const Expr stray = s.Variable("stray", "cd");
  s.Equal(s.Variable("y", known.dimension.ToString()), known.formula * stray);
  Diagnostics diagnostics;
  CheckUnits(s.flat, diagnostics);
  RC_ASSERT(diagnostics.list().size() == 1U);
}

}  // namespace
}  // namespace orrery::compile::internal
