"""The faces that only an emulator has: its gRPC control service and its console.

protowire.py   just enough of protobuf's wire format
fingers.py     touch events, one finger after another, as gestures
keys.py        keyboard events as Android's keys and text
snapshots.py   what the phone was like, by name
controller.py  android.emulation.control.EmulatorController and SnapshotService, bytes in, bytes out
grpc_face.py   those services on a port of this machine (needs grpcio, the extra `android`)
console.py     the line-by-line console that `adb emu` talks to
"""
