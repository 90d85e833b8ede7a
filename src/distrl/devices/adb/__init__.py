"""Android phones and emulators, through the real adb server.

protocol.py  asyncio client of the adb server
options.py   what `device.options` may say
leases.py    one phone, one user: which serial a device takes
screen.py    from `screencap` and `uiautomator dump` to an Observation's parts
commands.py  actions as lines of Android's shell
phone.py     a phone behind the server: starting, facts, shell
device.py    AdbDevice
"""
