"""Web pages as devices: many phone-like browser contexts in one Chromium, driven over its debugging pipe."""
