"""What lies behind numbers: values in, values out, built on the same matching as the numbers themselves."""
