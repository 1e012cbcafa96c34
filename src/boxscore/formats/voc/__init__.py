"""PASCAL VOC: annotations in XML, and files of results."""
