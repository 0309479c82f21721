"""Generated from the protos by codegen.py."""
