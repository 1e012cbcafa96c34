"""Draws the output of an evaluation as an SVG picture, as in the README.

python docs/picture.py TRUTH DETECTIONS docs/eval.svg --protocol coco --protocol coco-fixed --protocol voc2012
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from html import escape
from pathlib import Path

import boxscore as bs
from boxscore.evaluation.run import evaluate_tables
from boxscore.joining.align import align
from boxscore.report.text import as_text

WIDTH, LINE, LETTER = 88, 17, 7.85  # letters; pixels


def main() -> None:
    """Draw what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("truth")
    parser.add_argument("detections")
    parser.add_argument("picture", type=Path)
    parser.add_argument("--protocol", action="append", required=True)
    given = parser.parse_args()
    truth, _ = bs.read_truth(given.truth)
    detections, _ = bs.read_detections(given.detections, truth=truth)
    aligned = align(truth, detections)
    results = [evaluate_tables(aligned, bs.protocols.get(name)) for name in given.protocol]
    command = [
        "$ boxscore eval truth.json detections.json \\",
        "    " + " ".join(f"--protocol {n}" for n in given.protocol),
    ]
    named = [
        replace(r, truth=replace(r.truth, path="truth.json"), detections=replace(r.detections, path="detections.json"))
        for r in results
    ]
    given.picture.write_text(drawn([*command, "", *as_text(named, columns=WIDTH).splitlines()]))


def drawn(lines: list[str]) -> str:
    """Lines of text as an SVG document that needs no fonts from elsewhere."""
    width, height = WIDTH * LETTER + 24, len(lines) * LINE + 24
    rows = []
    for i, line in enumerate(lines):
        heading = line.startswith(("Ledger", "Summary", "Classes", "$"))
        weight = ' font-weight="bold"' if heading else ""
        length = f' textLength="{len(line) * LETTER:.1f}" lengthAdjust="spacingAndGlyphs"' if line else ""
        rows.append(f'<text x="12" y="{12 + (i + 0.75) * LINE:.1f}"{weight}{length}>{escape(line)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}">\n'
        "<style>text{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#e6e6e6;"
        "white-space:pre}</style>\n"
        f'<rect width="100%" height="100%" rx="8" fill="#14181f"/>\n<g xml:space="preserve">\n'
        + "\n".join(rows)
        + "\n</g>\n</svg>\n"
    )


if __name__ == "__main__":
    main()
