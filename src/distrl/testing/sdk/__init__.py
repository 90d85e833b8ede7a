"""Stand-ins for the Android SDK's programs, backed by simulated phones.

    python -m distrl.testing.sdk FOLDER     # makes an SDK there: emulator, avdmanager, a system image
    ANDROID_HOME=FOLDER distrl train --device emulator --devices 2

They take the arguments, print the words and end with the status of the real ones, as far as distrl (or a
person) uses them. What runs in them is a simulated phone, not Android.

folder.py      an SDK folder with the stand-ins in it
emulator.py    `emulator`: boots an AVD, with adb, console and gRPC on the usual ports
avdmanager.py  `avdmanager`: creates, lists and deletes AVDs
"""
