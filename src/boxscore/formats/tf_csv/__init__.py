"""CSV files as TensorFlow's object detection tutorials write them."""
