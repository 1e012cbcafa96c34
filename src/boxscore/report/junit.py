"""Results as JUnit XML: a suite per result, a test case per gate and per grave finding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from boxscore.evaluation.result import Result
from boxscore.report.blocks import about
from boxscore.report.words import printable


def as_junit(results: Sequence[Result]) -> str:
    """The document; gates that are not met and errors among the findings are failures."""
    root = Element("testsuites", name="boxscore")
    for r in results:
        name = about(r)
        cases = [(str(o.gate), "" if o.met else str(o)) for o in r.gates]
        cases += [(f"{f.code}: {f.text}", f.text) for f in r.ledger.findings if f.severity == "error"]
        failures = sum(bool(text) for _, text in cases)
        suite = SubElement(root, "testsuite", name=name, tests=str(len(cases)), failures=str(failures), errors="0")
        properties = SubElement(suite, "properties")
        for metric, value in (("signature", r.protocol.signature()), *((n, _exact(v)) for n, v in r.metrics.items())):
            SubElement(properties, "property", name=printable(metric), value=value)
        for what, text in cases:
            case = SubElement(suite, "testcase", classname=name, name=printable(what))
            if text:
                SubElement(case, "failure", message=printable(text))
    indent(root)
    return f"<?xml version='1.0' encoding='UTF-8'?>\n{tostring(root, encoding='unicode')}\n"


def _exact(value: float) -> str:
    return "n/a" if math.isnan(value) else repr(value)
