"""The vocabulary of screens: frozen records that paint and list themselves."""

from distrl.simphone.scene import CENTRE, END, START
from distrl.simphone.widgets.bars import AppBar, BottomNav, Destination, FloatingButton, Page
from distrl.simphone.widgets.containers import Across, Card, Chips, Column, Grid, Stack, Strip
from distrl.simphone.widgets.controls import Button, Chip, IconButton, ProgressBar, Slider, Spinner, Tabs
from distrl.simphone.widgets.fields import SearchBar, TextField
from distrl.simphone.widgets.overlays import BottomSheet, Dialog, Menu, Overlay, Surface, TopSheet
from distrl.simphone.widgets.rows import Row
from distrl.simphone.widgets.text import Avatar, Divider, Empty, Gap, Icon, Picture, SectionHeader, Text
from distrl.simphone.widgets.widget import Widget

__all__ = [
    "CENTRE", "END", "START", "Across", "AppBar", "Avatar", "BottomNav", "BottomSheet", "Button", "Card",
    "Chip", "Chips", "Column", "Destination", "Dialog", "Divider", "Empty", "FloatingButton", "Gap", "Grid",
    "Icon", "IconButton", "Menu", "Overlay", "Page", "Picture", "ProgressBar", "Row", "SearchBar",
    "SectionHeader", "Slider", "Spinner", "Stack", "Strip", "Surface", "Tabs", "Text", "TextField",
    "TopSheet", "Widget",
]  # fmt: skip
