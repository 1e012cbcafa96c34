"""VIA (VGG Image Annotator) JSON: annotations of VIA 1 and 2, alone or inside of a project."""

from __future__ import annotations

from boxscore.diagnostics.findings import Finding
from boxscore.formats.io.collected import Collected
from boxscore.formats.io.json_values import Value, load_value
from boxscore.formats.io.options import ReadOptions
from boxscore.formats.io.source import Source
from boxscore.formats.via.regions import VIA_3, Region, add_regions, size_in
from boxscore.tables.model import Detections, Truth

_EXPECTED = "annotations of VIA 2 (JSON): an object with `filename` and `regions` for every image"


def read_truth(source: Source, how: ReadOptions) -> tuple[Truth, list[Finding]]:
    """Objects; images without regions have none."""
    how = how.of("truth")
    return _read(source, how, scored=False).truth(source.name, "via-json", how), []


def read_detections(source: Source, how: ReadOptions, truth: Truth | None = None) -> tuple[Detections, list[Finding]]:
    """Detections: regions with an attribute `score` or `confidence`."""
    how = how.of("detections")
    return _read(source, how, scored=True).detections(source.name, "via-json", how), []


def _read(source: Source, how: ReadOptions, scored: bool) -> Collected:
    root = load_value(source, _EXPECTED)
    if root.has("project") and root.has("metadata") and root.has("view"):
        raise root.wrong(VIA_3, _EXPECTED, "Save the annotations with VIA 2, or as COCO.")
    inside = root["_via_img_metadata"] if root.has("_via_img_metadata") else root
    made, regions = Collected(), list[Region]()
    for _, entry in inside.entries():
        key = entry["filename"].text().replace("\\", "/")
        if key in made.key:
            raise entry.wrong(f"the file name '{key}' again", "a file name of its own for every image")
        attributes = entry.get("file_attributes")
        image = made.add_image(key, *(() if attributes is None else size_in(attributes)))
        for one in _listed(entry):
            with how.invalid:
                region = Region(image, one["shape_attributes"], _attributes(one))
                region.attributes.object()
                regions.append(region)
    add_regions(made, source.name, regions, how, scored)
    return made


def _listed(entry: Value) -> list[Value]:
    """Regions: a list since VIA 2, an object with numbers as keys before."""
    regions = entry["regions"]
    return [one for _, one in regions.entries()] if isinstance(regions.value, dict) else regions.items()


def _attributes(region: Value) -> Value:
    return region.get("region_attributes") or Value(region.file, {}, region, "region_attributes")
