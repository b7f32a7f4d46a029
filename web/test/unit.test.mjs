// What the page computes by itself, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const routing = await load("diagram/routing.ts");
const matrix = await load("diagram/matrix.ts");
const turned = await load("diagram/turned.ts");
const units = await load("inspector/units.ts");
const variants = await load("runs/variants.ts");
const values = await load("plot/values.ts");
const ticks = await load("plot/ticks.ts");
const data = await load("api/data.ts");
const duration = await load("plan/duration.ts");
const planText = await load("plan/plan_text.ts");
const microsteps = await load("trace/microsteps.ts");
const classes = await load("state/classes.ts");
const liveRows = await load("runs/live_rows.ts");
const bars = await load("plan/bars.ts");

const ohms = [
  { name: "Ohm", factor: 1, offset: 0 },
  { name: "kOhm", factor: 1000, offset: 0 },
  { name: "MOhm", factor: 1e6, offset: 0 },
];
const temperatures = [
  { name: "K", factor: 1, offset: 0 },
  { name: "degC", factor: 1, offset: 273.15 },
];

test("a line between facing ports on one level is straight", () => {
  assert.deepEqual(routing.route([-30, 40], "right", [-10, 40], "left"),
    [[-30, 40], [-10, 40]]);
});

test("a line to a port above has one corner", () => {
  assert.deepEqual(routing.route([10, 40], "right", [40, 10], "up"),
    [[10, 40], [40, 40], [40, 10]]);
});

test("a line between facing ports on two levels bends in the middle", () => {
  assert.deepEqual(routing.route([0, 0], "right", [40, 20], "left"),
    [[0, 0], [20, 0], [20, 20], [40, 20]]);
});

test("every routed line is orthogonal and ends at its ports", () => {
  const sides = ["left", "right", "up", "down"];
  for (const a of sides) {
    for (const b of sides) {
      for (const to of [[50, 30], [-50, 30], [50, -30], [0, 60], [60, 0]]) {
        const points = routing.route([0, 0], a, to, b);
        assert.deepEqual(points[0], [0, 0]);
        assert.deepEqual(points.at(-1), to);
        for (let i = 1; i < points.length; ++i) {
          const [x, y] = points[i];
          const [u, v] = points[i - 1];
          assert.ok(x === u || y === v, `${a} ${b} ${JSON.stringify(points)}`);
        }
      }
    }
  }
});

test("a line whose ends both move keeps its shape", () => {
  assert.deepEqual(routing.stretched([[0, 0], [10, 0], [10, 20]], [4, 6], [4, 6]),
    [[4, 6], [14, 6], [14, 26]]);
});

test("only the segment next to a moved end stretches", () => {
  assert.deepEqual(routing.stretched([[0, 0], [10, 0], [10, 20], [30, 20]], [2, 4], [0, 0]),
    [[2, 4], [10, 4], [10, 20], [30, 20]]);
});

test("a placement scales, turns and moves an icon", () => {
  const place = matrix.placement(
    { origin: [30, 10], extent: [[-10, -10], [10, 10]], rotation: 90 },
    [[-100, -100], [100, 100]]);
  assert.deepEqual(matrix.apply(place, [100, 0]), [30, 20]);
  assert.deepEqual(matrix.apply(place, [0, 50]), [25, 10]);
});

test("swapped corners of a placement mirror", () => {
  const place = matrix.placement({ extent: [[10, -10], [-10, 10]] },
    [[-100, -100], [100, 100]]);
  assert.deepEqual(matrix.apply(place, [100, 50]), [-10, 5]);
});

test("a part that is flipped twice stands as before", () => {
  const at = { origin: [20, 0], extent: [[-10, -10], [30, 10]], rotation: 90 };
  for (const axis of ["horizontal", "vertical"]) {
    assert.deepEqual(turned.flipped(turned.flipped(at, axis), axis), at);
  }
});

test("a turned part keeps its middle", () => {
  const at = { origin: [20, 8], extent: [[-10, -10], [30, 10]], rotation: 0 };
  const icon = [[-100, -100], [100, 100]];
  const next = turned.rotated(at, 90);
  assert.deepEqual(matrix.apply(matrix.placement(next, icon), [0, 0]),
    matrix.apply(matrix.placement(at, icon), [0, 0]));
  assert.equal(next.rotation, 90);
});

test("a flipped part keeps its middle and mirrors its ports", () => {
  const at = { origin: [20, 8], extent: [[-10, -10], [10, 10]], rotation: 90 };
  const icon = [[-100, -100], [100, 100]];
  const port = matrix.apply(matrix.placement(at, icon), [100, 40]);
  const mirrored = matrix.apply(
    matrix.placement(turned.flipped(at, "horizontal"), icon), [100, 40]);
  assert.deepEqual(mirrored, [40 - port[0], port[1]]);
});

test("scenario 12: 1.5 kOhm is written as 1500", () => {
  assert.equal(units.written("1.5 kOhm", ohms[0], ohms), "1500");
});

test("scenario 12: a value that is only shown in another unit is written as it was", () => {
  const shown = units.shownIn("1500", ohms[2]);
  assert.equal(shown, "0.0015");
  assert.equal(units.written(shown, ohms[2], ohms), "1500");
});

test("an offset unit is converted with its offset", () => {
  assert.equal(units.shownIn("300.15", temperatures[1]), "27");
  assert.equal(units.written("27", temperatures[1], temperatures), "300.15");
  assert.equal(units.written("300 K", temperatures[1], temperatures), "300");
});

test("an expression is written as it is typed", () => {
  assert.equal(units.written(" 2*R0 ", ohms[1], ohms), "2*R0");
  assert.equal(units.shownIn("2*R0", ohms[1]), "2*R0");
});

test("a range counts its values, with both ends", () => {
  assert.equal(variants.countValues("1:0.5:5"), 9);
  assert.equal(variants.countValues("0:0.1:1"), 11);
  assert.equal(variants.countValues("5:-1:1"), 5);
});

test("lists, spaced points and distributions are told apart", () => {
  assert.equal(variants.countValues("{1,2,5}"), 3);
  assert.equal(variants.countValues("logspace(0,3,100)"), 100);
  assert.equal(variants.countValues("normal(4,0.2)"), 0);
  assert.equal(variants.countValues("4.5"), 1);
});

test("a grid has the product of all counts", () => {
  assert.equal(variants.countVariants([
    { name: "k", value: "1:0.5:5" }, { name: "c", value: "{1,2}" },
    { name: "m", value: "3" }, { name: "", value: "1:1:9" },
  ]), 18);
});

test("what has one value is set, what has several is varied", () => {
  assert.deepEqual(variants.splitVaried([
    { name: "k", value: "1:1:3" }, { name: "m", value: "2 kg" },
  ]), { vary: ["k=1:1:3"], set: { m: "2 kg" } });
});

test("values between two rows lie on the line between them", () => {
  assert.equal(values.valueAt([0, 1, 3], [0, 10, 30], 2), 20);
  assert.equal(values.valueAt([0, 1, 3], [0, 10, 30], 3), 30);
  assert.equal(values.valueAt([0, 1, 3], [0, 10, 30], -1), null);
});

test("at an event the value after it is shown", () => {
  assert.equal(values.valueAt([0, 1, 1, 2], [5, 5, 7, 7], 1), 7);
});

test("numbers are shown with five digits", () => {
  assert.equal(values.short(104.70312), "104.7");
  assert.equal(values.short(0.00001234), "1.234e-5");
  assert.equal(values.short(0), "0");
  assert.equal(values.short(null), "–");
});

test("marks of an axis are round numbers within it", () => {
  assert.deepEqual(ticks.ticksOf(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticks.ticksOf(-0.31, 0.42, 4), [-0.2, 0, 0.2, 0.4]);
});

test("curves are read from a header and columns of numbers", () => {
  const header = Buffer.from(JSON.stringify({
    columns: [{ name: "time", unit: "s" }, { name: "w", unit: "rad/s" }],
    rows: 2, from: 0, to: 1,
  }));
  const bytes = Buffer.alloc(4 + header.length + 32);
  bytes.writeUInt32LE(header.length, 0);
  header.copy(bytes, 4);
  [0, 1, 3.5, -2].forEach((v, i) => bytes.writeDoubleLE(v, 4 + header.length + 8 * i));
  const read = data.readCurves(bytes.buffer.slice(bytes.byteOffset,
    bytes.byteOffset + bytes.length));
  assert.deepEqual(read.values.map((v) => [...v]), [[0, 1], [3.5, -2]]);
  assert.equal(read.columns[1].unit, "rad/s");
});

test("a moved time keeps its unit", () => {
  assert.equal(duration.movedDuration("7 h", 5400), "8.5 h");
  assert.equal(duration.movedDuration("-30 min", 600), "-20 min");
  assert.equal(duration.movedDuration("90", 30), "120");
  assert.equal(duration.readDuration("0.18 km"), undefined);
});

const day = `{
  "stop": "24 h",
  "activities": [
    {"id": "out", "type": "Drive", "start": "7 h"},
    {"id": "on", "type": "Drive", "after": "out",
     "arguments": {"metres": 120, "start": "no"}},
    {"type": "Heat", "with": "out", "offset": "-30 min"}
  ]
}`;

test("scenario 35: a moved activity changes one number of the plan", () => {
  const [out] = planText.readPlan(day);
  const field = planText.movableField(out);
  const moved = duration.movedDuration(field.value, 3600);
  const text = day.slice(0, field.from) + moved + day.slice(field.to);
  assert.equal(text, day.replace('"7 h"', '"8 h"'));
});

test("activities of a plan are read with what they refer to", () => {
  const [out, on, heat] = planText.readPlan(day);
  assert.equal(out.type, "Drive");
  assert.equal(on.fields.get("after").value, "out");
  assert.equal(planText.movableField(on), undefined);
  assert.equal(heat.id, "#3");
  assert.equal(heat.fields.get("offset").value, "-30 min");
});

test("a text that is no plan has no activities", () => {
  assert.deepEqual(planText.readPlan('{"a": [1, 2]}'), []);
  assert.deepEqual(planText.readPlan(""), []);
});

test("a trace is read from its columns, and another text is none", () => {
  const rows = microsteps.readTrace(
    "time,model,event,name,value\n0.5,bank.door,output,out.id,7\n");
  assert.deepEqual(rows, [
    { time: 0.5, model: "bank.door", event: "output", name: "out.id", value: "7" },
  ]);
  assert.deepEqual(microsteps.readTrace("time,x\n0,1\n"), []);
});

test("outputs and the transitions that they cause are one microstep", () => {
  const row = (time, model, event, name, value) => ({ time, model, event, name, value });
  const steps = microsteps.microstepsOf([
    row(2, "door", "output", "out.id", "7"),
    row(2, "door", "internal", "sent", "1"),
    row(2, "queue", "external", "length", "1"),
    row(2, "queue", "output", "go.id", "7"),
    row(2, "queue", "internal", "length", "0"),
    row(3, "door", "output", "out.id", "8"),
    row(3, "queue", "external", "length", "1"),
  ]);
  assert.deepEqual(steps.map((s) => [s.time, s.number]), [[2, 1], [2, 2], [3, 1]]);
  assert.deepEqual(steps[0].messages, [{ from: "door", to: "queue", text: "out.id=7" }]);
  assert.deepEqual(steps[1].messages, [{ from: "queue", to: "", text: "go.id=7" }]);
});

test("rows of a run follow each other, and replace those from the same number on", () => {
  liveRows.takeRows({ id: 1, from: 0, time: [0, 1], columns: { x: [5, 6] } });
  liveRows.takeRows({ id: 1, from: 2, time: [2], columns: { x: [7] } });
  assert.deepEqual(liveRows.rowsOf(1), { first: 0, time: [0, 1, 2], columns: { x: [5, 6, 7] } });
  liveRows.takeRows({ id: 1, from: 1, time: [1.5], columns: { x: [8] } });
  assert.deepEqual(liveRows.rowsOf(1), { first: 0, time: [0, 1.5], columns: { x: [5, 8] } });
});

test("a page that comes late has the rows at their times", () => {
  liveRows.takeRows({ id: 2, from: 100, time: [10, 11], columns: { x: [1, 2] } });
  liveRows.takeRows({ id: 2, from: 102, time: [12], columns: { x: [3], y: [4] } });
  assert.deepEqual(liveRows.rowsOf(2),
    { first: 100, time: [10, 11, 12], columns: { x: [1, 2, 3], y: [NaN, NaN, 4] } });
});

test("after a gap of rows no curve bridges it", () => {
  liveRows.takeRows({ id: 3, from: 0, time: [0, 1], columns: { x: [1, 2] } });
  liveRows.takeRows({ id: 3, from: 5, time: [5, 6], columns: { x: [6, 7] } });
  assert.deepEqual(liveRows.rowsOf(3), { first: 5, time: [5, 6], columns: { x: [6, 7] } });
  liveRows.takeRows({ id: 3, from: 0, time: [0], columns: { x: [9] } });
  assert.deepEqual(liveRows.rowsOf(3), { first: 0, time: [0], columns: { x: [9] } });
});

test("rows are told to who listens, until they stop", () => {
  const told = [];
  const undo = liveRows.onRows((id) => told.push(id));
  liveRows.takeRows({ id: 4, from: 0, time: [0], columns: {} });
  undo();
  liveRows.takeRows({ id: 4, from: 1, time: [1], columns: {} });
  liveRows.forgetRows(4);
  assert.deepEqual(told, [4]);
  assert.equal(liveRows.rowsOf(4), undefined);
});

test("a document is about its last model, not about a function or a part of it", () => {
  const [namespace, model, fun] = [4, 5, 12];
  const main = (...list) => classes.mainOf(list.map(([name, kind]) =>
    ({ name, kind, from: 0, to: 0 })));
  assert.equal(main(["M", model], ["M.f", fun]), "M");
  assert.equal(main(["P", namespace], ["P.A", model], ["P.B", model], ["P.B.Part", model],
    ["P.f", fun]), "P.B");
  assert.equal(main(["P", namespace], ["P.f", fun]), "P.f");
  assert.equal(main(["P", namespace]), "P");
  assert.equal(main(), undefined);
});

test("by its links a message goes to those that are coupled, others that change are not", () => {
  const row = (model, event, name, value) => ({ time: 1, model, event, name, value });
  const rows = [
    row("a", "output", "left.id", "1"), row("a", "output", "left.size", "3"),
    row("a", "output", "right", "2"), row("b", "external", "n", "1"),
    row("c", "external", "n", "2"),
  ];
  const links = [
    { from: "a", port: "left", to: "b" }, { from: "a", port: "right", to: "c" },
    { from: "a", port: "right", to: "" },
  ];
  assert.deepEqual(microsteps.stepOf(rows, 1, links).messages, [
    { from: "a", to: "b", text: "left.id=1, left.size=3" },
    { from: "a", to: "c", text: "right=2" }, { from: "a", to: "", text: "right=2" },
  ]);
});

test("marks within a microsecond follow one time", () => {
  const ticks = [61200, 61200.0000002, 61200.0000004];
  assert.deepEqual(duration.closeTexts(ticks, 2e-7),
    { base: 61200, texts: ["+0 ns", "+200 ns", "+400 ns"] });
  assert.deepEqual(duration.closeTexts([0.00123, 0.00124], 1e-5),
    { base: 0.001, texts: ["+230 us", "+240 us"] });
  assert.equal(duration.exactText(61200.0000005), "61200.0000005 s");
});

test("a message about a plan is about the activity at its place, counted in bytes", () => {
  const text = '{"activities": [\n {"id": "äöü", "type": "A"}, {"id": "b", "type": "B"}]}';
  const activities = planText.readPlan(text);
  // After three letters of two bytes each.
  const column = new TextEncoder().encode(text.split("\n")[1].split('"b"')[0]).length + 1;
  assert.equal(planText.activityAt(text, activities, 2, column).id, "b");
  assert.equal(planText.activityAt(text, activities, 2, 9).id, "äöü");
  assert.equal(planText.activityAt(text, activities, 1, 1), undefined);
});

test("an activity with a problem has a bar, at its start or at the end of the run", () => {
  const activities = planText.readPlan(day);
  const problems = [
    { directive: "out", severity: "error", text: "no", line: 4 },
    { directive: "on", severity: "warning", text: "waits", line: 0 },
    { directive: "", severity: "error", text: "all", line: 0 },
  ];
  const shown = bars.barsWithProblems([], problems, activities, 86400);
  assert.deepEqual(shown.map((b) => [b.label, b.begin, b.problem, b.guessed]),
    [["out", 25200, "no", true], ["on", 86400, "waits", true]]);
});

test("parts of an activity are drawn in its bar, other tasks of the model are not", () => {
  const span = (number, parent, name, begin, end, attributes = {}) =>
    ({ span: number, parent, name, begin, end, state: "completed", attributes });
  const shown = bars.barsOfSpans([
    span(0, null, "Sun", 0, null), span(1, null, "View", 10, null, { directive: "v" }),
    span(2, 1, "Image", 10, 12), span(3, 1, "Image", 12, 14),
  ], 100);
  assert.deepEqual(shown.map((b) => [b.directive, b.begin, b.end, b.inner]),
    [["v", 10, 100, [[10, 12], [12, 14]]]]);
});
