#!/usr/bin/env python3
"""Reads benchmark results, one JSON object a line; prints them as a table."""

import json
import sys

HEAD = ("benchmark", "case", "ours", "limit", "unit", "ratio", "checked")


def cell(value):
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "ok" if value else "WRONG"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def main():
    rows = [HEAD]
    for line in sys.stdin:
        result = json.loads(line)
        rows.append(tuple(cell(result[name]) for name in HEAD))
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        # Numbers to the right, text to the left.
        print("  ".join(
            text.rjust(width) if name in ("ours", "limit", "ratio")
            else text.ljust(width)
            for name, text, width in zip(HEAD, row, widths)).rstrip())


if __name__ == "__main__":
    main()
