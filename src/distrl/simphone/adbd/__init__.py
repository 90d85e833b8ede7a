"""The phone's adb daemon: what Android's real `adb` server talks to.

wire.py       messages of 24 bytes and a payload
transport.py  one connection from an adb server, and the streams in it
services.py   what a stream may ask for: shell, exec, sync, root, reboot
sync.py       push, pull and listings
listening.py  a phone on a port, many phones in one process, and how they register as emulators
"""
