// What the forms and tables of experiments compute, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const design = await load("experiments/design.ts");
const suggestions = await load("experiments/suggestions.ts");
const data = await load("experiments/measured_data.ts");
const view = await load("experiments/table_view.ts");
const written = await load("experiments/write_values.ts");
const texts = await load("experiments/compare_texts.tsx");
const curves = await load("experiments/compare_curves.tsx");

function made(kind, rows, others = {}) {
  const list = rows.map(([name, value]) => ({ name, value }));
  return { ...design.emptyDesign, kind, rows: { [kind]: list }, ...others };
}

test("a design with a distribution makes as many runs as asked", () => {
  const drawn = made("montecarlo", [["k", "normal(4,0.2)"]],
    { options: { "montecarlo.runs": "250" } });
  assert.equal(design.runsOf(drawn), 250);
  assert.equal(design.obstacle(drawn), "");
});

test("a grid makes the product of its values", () => {
  assert.equal(design.runsOf(made("sweep", [["a", "1:1:4"], ["b", "{1,2,5}"]])), 12);
});

test("how many runs there are until a mean is known is not known before", () => {
  const drawn = made("montecarlo", [["k", "normal(4,0.2)"]], {
    measures: [{ text: "peak=max(v)", goal: "minimize" }],
    untilMeasure: "peak", untilWidth: "0.5%",
  });
  assert.equal(design.runsOf(drawn), null);
  assert.equal(design.requestOf(drawn, "m.mo", "M").options["until-known"], "peak=0.5%");
  assert.match(design.obstacle({ ...drawn, measures: [] }), /mean is to be known/);
});

test("an optimisation without a goal is told what it lacks", () => {
  assert.match(design.obstacle(made("optimize", [["k", "[1,5]"]])), /small or large/);
});

test("a calibration needs data, and a column that is a signal", () => {
  const fit = made("calibrate", [["k", "[1,5]"]]);
  assert.match(design.obstacle(fit), /measured data/);
  assert.match(design.obstacle({ ...fit, data: "a.csv" }), /which signal/);
  const whole = { ...fit, data: "a.csv", match: [{ name: "x", value: "position" }] };
  assert.equal(design.obstacle(whole), "");
  assert.deepEqual(design.requestOf(whole, "m.mo", "").match, ["x=position"]);
});

test("an analysis sets parameters and fixes quantities", () => {
  const steady = made("steady", [["m", "2"]], {
    fix: [{ name: "v", value: "20" }, { name: "", value: "" }],
  });
  assert.equal(design.obstacle(made("steady", [["", ""]])), "");
  const request = design.requestOf(steady, "car.mo", "Car");
  assert.deepEqual(request.set, { m: "2" });
  assert.deepEqual(request.options["fix"], ["v=20"]);
  assert.equal(request.vary, undefined);
});

test("options of another kind stay out of a request", () => {
  const swept = made("sweep", [["k", "1:1:3"]], {
    options: { "optimize.method": "cobyla", sigma: "5%", stop: "3" },
  });
  assert.deepEqual(design.requestOf(swept, "m.mo", "").options, { stop: "3" });
});

test("names of parameters stay when another kind is chosen, values do not", () => {
  const other = design.asKind(made("sweep", [["k", "1:1:3"], ["", ""]]), "calibrate");
  assert.deepEqual(design.rowsOf(other), [{ name: "k", value: "" }]);
  assert.deepEqual(design.rowsOf(design.asKind(other, "sweep")),
    [{ name: "k", value: "1:1:3" }, { name: "", value: "" }]);
});

test("a measure is called as what stands before its sign of equality", () => {
  assert.equal(design.nameOfMeasure("peak = max(v)"), "peak");
  assert.equal(design.nameOfMeasure("max(v)"), "max(v)");
  assert.equal(design.nameOfMeasure("duration(x == 3)"), "duration(x == 3)");
});

test("values are proposed around that of the model", () => {
  assert.equal(suggestions.suggested("sweep", 4), "2:1:6");
  assert.equal(suggestions.suggested("montecarlo", 4), "normal(4,0.2)");
  assert.equal(suggestions.suggested("calibrate", 0.4), "0.4[0.04,4]");
  assert.equal(suggestions.suggested("optimize", -2), "[-20,-0.2]");
  assert.equal(suggestions.suggested("sweep", 0), "");
  assert.equal(suggestions.suggested("sweep", NaN), "");
});

test("columns of measured data have names and units", () => {
  const table = data.readTable("\ufefft [ms],\"x, of the mass [mm]\",spread\n1,2,3\n4,5,6\n\n");
  assert.deepEqual(table.time, { name: "t", unit: "ms" });
  assert.deepEqual(table.columns, [{ name: "x, of the mass", unit: "mm" },
    { name: "spread", unit: "" }]);
  assert.equal(table.rows, 2);
});

test("the column of the times is the one called so, else the first", () => {
  assert.equal(data.readTable("x,time\n1,2\n").time.name, "time");
  assert.deepEqual(data.readTable("x,time\n1,2\n").columns, [{ name: "x", unit: "" }]);
  assert.equal(data.readTable("").time, null);
});

test("columns are matched to signals by name, not to parameters", () => {
  const quantities = [
    { name: "x", kind: "variable" }, { name: "K", kind: "parameter" },
    { name: "Temp", kind: "output" },
  ];
  assert.deepEqual(data.matchedByName(
    [{ name: "x" }, { name: "k" }, { name: "temp" }], quantities),
  [{ name: "x", value: "x" }, { name: "Temp", value: "temp" }]);
});

test("values are written at parameters and at the starts of states", () => {
  const quantities = [
    { name: "k", kind: "parameter" }, { name: "x", kind: "variable" },
    { name: "spring.c", kind: "parameter" }, { name: "tank.level", kind: "variable" },
  ];
  const values = [["k", 1 / 3], ["x", 2], ["spring.c", 1e-9], ["tank.level", 0.5]]
    .map(([name, value]) => ({ name, value }));
  assert.deepEqual(written.editsOf(values, quantities), [
    { op: "setModifier", component: "", path: "k", text: "0.3333333" },
    { op: "setModifier", component: "x", path: "start", text: "2" },
    { op: "setModifier", component: "spring", path: "c", text: "1e-9" },
    { op: "setModifier", component: "tank", path: "level.start", text: "0.5" },
  ]);
});

const table = {
  total: 2,
  columns: [{ name: "k" }, { name: "same" }, { name: "peak" }],
  rows: [{ run: 0, values: [1, 7, 3] }, { run: 1, values: [2, 7, null] }],
};

test("a view leaves out columns that are hidden or the same in all runs", () => {
  assert.deepEqual(view.shownColumns(table, [0, 1, 2], view.plainView), [0, 1, 2]);
  assert.deepEqual(view.shownColumns(table, [0, 1, 2],
    { ...view.plainView, only_differences: true }), [0, 2]);
  assert.deepEqual(view.shownColumns(table, [0, 1, 2],
    { ...view.plainView, hidden: ["k"] }), [1, 2]);
});

test("brushes of a view belong to names, and those of other tables are left out", () => {
  const brushed = { ...view.plainView, brushes: { peak: [1, 2], gone: [3, 4] } };
  const found = view.brushesOf(table, brushed);
  assert.deepEqual([...found], [[2, [1, 2]]]);
  assert.deepEqual(view.namedBrushes(table, found), { peak: [1, 2] });
});

test("texts differ where their hashes do, or where one has none", () => {
  const lists = [
    [{ name: "a.mo", hash: "1" }, { name: "b.mo", hash: "2" }],
    [{ name: "a.mo", hash: "1" }, { name: "b.mo", hash: "3" }, { name: "c.csv", hash: "4" }],
    [{ name: "a.mo", hash: "1" }, { name: "b.mo", hash: "2" }],
  ];
  assert.deepEqual(texts.differingTexts([7, 8, 9], lists), [
    { name: "b.mo", ids: [7, 8], missing: [] },
    { name: "c.csv", ids: [8], missing: [7, 9] },
  ]);
});

test("the difference of two curves is taken at the times of the first", () => {
  const pair = {
    a: { values: [new Float64Array([0, 1, 2]), new Float64Array([0, 1, 2])] },
    b: { values: [new Float64Array([0, 2]), new Float64Array([1, 5])] },
  };
  assert.deepEqual(curves.differenceOf(pair), { x: [0, 1, 2], y: [1, 2, 3] });
});

test("measures are final values, estimates or means, whichever there are", () => {
  const of = (results) => [...curves.measuresOf({ results })];
  assert.deepEqual(of({ final: { x: 1, text: "a" } }), [["x", 1]]);
  assert.deepEqual(of({ parameters: [{ name: "k", value: 4 }] }), [["k", 4]]);
  assert.deepEqual(of({ columns: [{ name: "peak", mean: 2 }, { name: "n", mean: null }] }),
    [["peak", 2]]);
  assert.deepEqual(of(null), []);
});
