"""TFRecords of the TensorFlow Object Detection API."""
