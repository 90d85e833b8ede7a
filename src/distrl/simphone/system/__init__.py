"""The system's own screens: launcher, bars, keyboard, overlays, and how a whole screen is composed."""
