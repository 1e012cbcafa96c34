"""Keypoints: how many are labelled, how visible they are, where they lie."""

from __future__ import annotations

from boxscore.diagnostics.kind import Kind

KEYPOINTS = (
    Kind(
        "KPT001", "note", "num_keypoints missing",
        says="{count} object{s} {have} keypoints and no `num_keypoints`, which pycocotools needs; those with a "
        "visibility above 0 were counted",
        advice="State `num_keypoints` in every annotation.",
    ),
    Kind(
        "KPT002", "warning", "num_keypoints disagrees with keypoints",
        says="{count} object{s} {have} another `num_keypoints` than keypoints with a visibility above 0{detail}",
        advice="Count the labelled keypoints of each annotation anew.",
    ),
    Kind(
        "KPT003", "warning", "unusual visibility",
        says="{count} keypoint{s} of objects {have} a visibility other than 0, 1 or 2 ({detail}); all above 0 count as "
        "labelled",
        advice="Use 0 for points that are not labelled, 1 for hidden and 2 for visible ones.",
    ),
    Kind(
        "KPT004", "warning", "keypoints far outside of the image",
        says="{count} keypoint{s} of {detail} {are} farther outside of the image than it is wide or high",
        advice="Check that points are x, y, visibility in pixels of the same image.",
    ),
)  # fmt: skip
