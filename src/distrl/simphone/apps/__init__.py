"""The apps, one module or package each; `registry.py` lists them."""
