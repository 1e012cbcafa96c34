"""DOTA: oriented boxes as four corners, label files by image and result files by class."""
