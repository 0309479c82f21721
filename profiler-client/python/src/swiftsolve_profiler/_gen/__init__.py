"""Generated from the protos by codegen.py, and `figures.py` by `cargo xtask codegen`."""
