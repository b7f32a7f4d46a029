"""How things look in notebooks, on light and on dark pages."""
import importlib
import re
from typing import Any, Iterable, Sequence

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;",
                          '"': "&quot;"})

# Names of packages in Debian and for pip.
_PACKAGES = {
    "pandas": ("python3-pandas", "pandas"),
    "xarray": ("python3-xarray", "xarray"),
    "matplotlib": ("python3-matplotlib", "matplotlib"),
    "matplotlib.pyplot": ("python3-matplotlib", "matplotlib"),
    "tqdm": ("python3-tqdm", "tqdm"),
}

_STYLE = """<style>
.orrery{--ink:#222;--soft:#555;--grid:#e3e6ea;--frame:#99a0a8}
@media (prefers-color-scheme:dark){.orrery{--ink:#e6e6e6;--soft:#b0b4ba;\
--grid:#3a3f46;--frame:#7a828c}}
[data-jp-theme-light="true"] .orrery{--ink:#222;--soft:#555;\
--grid:#e3e6ea;--frame:#99a0a8}
[data-jp-theme-light="false"] .orrery{--ink:#e6e6e6;--soft:#b0b4ba;\
--grid:#3a3f46;--frame:#7a828c}
.orrery svg>rect:first-of-type{fill:transparent}
.orrery svg{max-width:100%;height:auto}
.orrery [fill="#222222"]{fill:var(--ink)}
.orrery [fill="#555555"]{fill:var(--soft)}
.orrery [stroke="#222222"],.orrery [stroke="#000000"]{stroke:var(--ink)}
.orrery [stroke="#e3e6ea"]{stroke:var(--grid)}
.orrery [stroke="#99a0a8"]{stroke:var(--frame)}
.orrery [fill="#000000"]{fill:var(--ink)}
.orrery table{border-collapse:collapse;color:var(--ink)}
.orrery th,.orrery td{text-align:left;padding:.15em .7em;\
border-bottom:1px solid var(--grid)}
.orrery p{color:var(--soft);margin:.3em 0}
</style>"""


def need(module: str, what: str) -> Any:
    """Imports a package that Orrery does not need itself.

    Raises:
        ImportError: it is not installed; says how to.

    >>> need("orrery_has_no_such", "plot()")
    Traceback (most recent call last):
    ImportError: plot() needs orrery_has_no_such, which is not installed: \
pip install orrery_has_no_such
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        debian, pip = _PACKAGES.get(module, ("", module))
        way = f"apt install {debian}, or " if debian else ""
        raise ImportError(
            f"{what} needs {pip}, which is not installed: {way}pip install "
            f"{pip}") from error


def axes(ax: Any, pyplot: Any) -> Any:
    """The axes to draw on: `ax`, or new ones for None.

    Raises:
        TypeError: it is something else.
    """
    if ax is None:
        return pyplot.subplots()[1]
    if not hasattr(ax, "plot") or not hasattr(ax, "set_xlabel"):
        raise TypeError(f"cannot draw on {ax!r}: give axes of matplotlib, as "
                        "pyplot.subplots() makes them")
    return ax


def label(name: str, unit: str) -> str:
    """The title of an axis or a column.

    >>> label("length", "m"), label("n", "")
    ('length [m]', 'n')
    """
    return f"{name} [{unit}]" if unit else name


def page(*parts: str) -> str:
    """Parts of HTML as one, with the colours of the page around."""
    return _STYLE + '<div class="orrery">' + "".join(parts) + "</div>"


def paragraph(text: str) -> str:
    """A line of text below a figure or a table."""
    return f"<p>{text.translate(_ESCAPES)}</p>"


def figure(svg: str) -> str:
    """A figure of Orrery as a part of a page, on which its ids are unique."""
    number = f"{abs(hash(svg)):x}"
    return re.sub(r'(id|aria-labelledby)="([^"]*)"',
                  lambda found: '{}="{}"'.format(found[1], " ".join(
                      word + number for word in found[2].split())), svg)


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table as a page. Columns without any content are left out."""
    texts = [[str(cell) for cell in row] for row in rows]
    kept = [i for i in range(len(head))
            if i == 0 or any(row[i] for row in texts)]

    def line(kind: str, row: Sequence[str]) -> str:
        return "<tr>" + "".join(
            f"<{kind}>{row[i].translate(_ESCAPES)}</{kind}>"
            for i in kept) + "</tr>"

    return page("<table>", line("th", head),
                "".join(line("td", row) for row in texts), "</table>")
