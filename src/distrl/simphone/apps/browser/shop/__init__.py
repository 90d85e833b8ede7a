"""Shops: one set of pages and rules, many shops that differ in content, layout and words."""
