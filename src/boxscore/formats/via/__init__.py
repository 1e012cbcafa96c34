"""VGG Image Annotator."""
