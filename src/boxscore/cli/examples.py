"""The examples of help: what each is for, and a command line that can be copied."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "": (
        ("AP as pycocotools computes it", "boxscore eval truth.json detections.json"),
        ("any formats, by the rules of another benchmark", "boxscore eval VOC2007/ results/ --protocol voc2007"),
        ("which score threshold to deploy", "boxscore threshold truth.json detections.json --precision 0.95"),
        ("why a number is lower than expected", "boxscore doctor truth.json detections.json"),
    ),
    "eval": (
        ("AP as pycocotools computes it", "boxscore eval truth.json detections.json"),
        (
            "text files with a box per line, two protocols",
            "boxscore eval truth/ found/ --box xyxy --protocol coco,voc2012",
        ),
        (
            "three models as a table for a paper",
            "boxscore eval truth.json a.json b.json c.json --table AP,AP50 -o x.tex",
        ),
        ("a gate in a pipeline", 'boxscore eval truth.json detections.json --require "AP>=0.3"'),
    ),
    "threshold": (
        ("the score with the best F1", "boxscore threshold truth.json detections.json"),
        (
            "95 % precision, for each class",
            "boxscore threshold truth.json found.json --precision 0.95 --per-class",
        ),
        ("a missed object costs five false alarms", "boxscore threshold truth.json detections.json --cost fp=1,fn=5"),
        ("at most one false positive in ten images", "boxscore threshold truth.json found.json --fp-per-image 0.1"),
    ),
    "explain": (
        ("why COCO and VOC differ", "boxscore explain truth.json detections.json --from coco --to voc2012"),
        ("what AP50 ignores", "boxscore explain truth.json detections.json --from coco --to coco[iou=0.5]"),
        ("class by class", "boxscore explain truth.json detections.json --to tf-voc --per-class"),
        ("for a report", "boxscore explain truth.json detections.json --to ultralytics -o gap.md"),
    ),
    "doctor": (
        ("what is wrong with two files", "boxscore doctor truth.json detections.json"),
        ("annotations alone", "boxscore doctor labels/"),
        ("write a corrected copy", "boxscore doctor truth.json detections.json --fix corrected.json"),
        ("a gate in a pipeline", "boxscore doctor truth.json detections.json --strict -q"),
    ),
    "inspect": (
        ("boxes, classes, sizes", "boxscore inspect truth.json"),
        ("detections alone", "boxscore inspect detections.json --side detections"),
        ("both sides, and the images they share", "boxscore inspect truth.json detections.json"),
        ("for a report", "boxscore inspect labels.zip --all-classes -o contents.md"),
    ),
    "convert": (
        ("COCO to YOLO", "boxscore convert truth.json labels/ --to yolo"),
        ("VOC to COCO", "boxscore convert VOC2007/ truth.json --to coco"),
        ("detections", "boxscore convert found/ found.json --to coco --side detections"),
        ("nothing if anything would be lost", "boxscore convert truth.json out.csv --to via-csv --strict"),
    ),
    "draw": (
        ("the annotations", "boxscore draw truth.json --images val2017/ -o drawn/"),
        ("true, false and missed boxes", "boxscore draw truth.json detections.json --images val2017/ -o drawn/"),
        (
            "sure detections of the first images",
            "boxscore draw t.json d.json --images v/ -o d/ --score 0.7 --limit 20",
        ),
        ("by other rules", "boxscore draw truth/ found/ --images img/ -o drawn/ --protocol voc2012"),
    ),
    "plot": (
        ("precision and recall of three models", "boxscore plot pr truth.json a.json b.json c.json -o curves.pdf"),
        ("classes by AP", "boxscore plot classes truth.json detections.json -o classes.svg"),
        ("what is taken for what", "boxscore plot confusion truth.json found.json -o c.png --score 0.5"),
        ("everything, in a folder", "boxscore plot --all truth.json detections.json -o figures/"),
    ),
    "app": (
        ("a page that asks for files", "boxscore app"),
        ("two models and their images", "boxscore app truth.json a.json b.json --images val2017/"),
        ("by the rules of two benchmarks", "boxscore app truth.json detections.json --protocol coco,voc2012"),
        ("on a machine without a screen: print the link", "boxscore app --no-browser --port 8765"),
    ),
    "demo": (("the worked examples of the literature", "boxscore demo"),),
    "formats": (
        ("all formats", "boxscore formats"),
        ("what a path is", "boxscore formats annotations.zip"),
        ("what it is as detections", "boxscore formats results/ --side detections"),
        ("for scripts", "boxscore formats annotations.zip --format json"),
    ),
    "protocols": (
        ("all protocols", "boxscore protocols"),
        ("every rule of one", "boxscore protocols coco"),
        ("of a variant", "boxscore protocols coco[iou=0.5]"),
        ("for scripts", "boxscore protocols voc2012 --format json"),
    ),
    "rule": (
        ("a code that a report names", "boxscore rule COCO001"),
        ("a metric", "boxscore rule oLRP"),
        ("a rule that can be --set", "boxscore rule max_detections"),
        ("by words", "boxscore rule crowd objects"),
    ),
    "completion": (
        ("bash, for all shells: have ~/.bashrc source it", "boxscore completion bash > ~/.boxscore.bash"),
        ("bash, for this shell", 'eval "$(boxscore completion bash)"'),
        ("zsh, in a folder of $fpath", "boxscore completion zsh > ~/.zfunc/_boxscore"),
        ("fish", "boxscore completion fish > ~/.config/fish/completions/boxscore.fish"),
    ),
}
