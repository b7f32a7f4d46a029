// Axes: places of values, and what has none.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { scaleOf, hasPlace } = await load("plot/scales.ts");
const { logColumns, plainView } = await load("experiments/table_view.ts");

test("a linear scale begins at the least value and ends at the greatest", () => {
  const { at, valueAt } = scaleOf([[2, 4], [6]], 0, 100, { count: 5 });
  assert.equal(at(2), 0);
  assert.equal(at(4), 50);
  assert.equal(at(6), 100);
  assert.equal(valueAt(25), 3);
});

test("a scale of powers of ten gives each decade the same room", () => {
  const { at, valueAt, ticks } = scaleOf([[0.01, 100]], 200, 0, { log: true, count: 10 });
  for (const [value, place] of [[0.01, 200], [0.1, 150], [1, 100], [10, 50], [100, 0]]) {
    assert.ok(Math.abs(at(value) - place) < 1e-9, `${value} at ${at(value)}`);
  }
  assert.ok(Math.abs(valueAt(100) - 1) < 1e-12);
  assert.deepEqual(ticks.map((t) => Number(t.toPrecision(6))), [0.01, 0.1, 1, 10, 100]);
});

test("values that are not positive have no place on a scale of powers of ten", () => {
  for (const value of [0, -1, NaN, Infinity, null, undefined]) {
    assert.equal(hasPlace(value, true), false, String(value));
  }
  assert.equal(hasPlace(-1, false), true);
  // They do not stretch it, either.
  assert.equal(scaleOf([[-5, 0, 1, 100]], 0, 2, { log: true, count: 2 }).at(10), 1);
});

test("a single value stands in the middle of its scale", () => {
  assert.equal(scaleOf([[7, 7]], 0, 10, { count: 3 }).at(7), 5);
  assert.equal(scaleOf([[7]], 0, 10, { log: true, count: 3 }).at(7), 5);
});

test("columns without a value above zero keep their linear axes", () => {
  const table = {
    columns: [{ name: "k" }, { name: "loss" }, { name: "gain" }],
    rows: [{ values: [1, -2, null] }, { values: [10, 0, 5] }],
  };
  const logs = (names) => [...logColumns(table, { ...plainView, logs: names })];
  assert.deepEqual(logs(["k", "loss", "gone"]), [0]);
  assert.deepEqual(logs(["gain"]), [2]);
  assert.deepEqual([...logColumns(table, plainView)], []);
});
