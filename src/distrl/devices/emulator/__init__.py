"""Android emulators that distrl itself creates, boots, cleans and stops.

options.py   what `device.options` may say
sdk.py       where the Android SDK and its programs are
avds.py      one virtual device for each port, created or copied once
disks.py     what a copied virtual disk must forget
slots.py     who uses which port, and what became of emulators whose owner died
process.py   the emulator's process: started, watched, stopped
console.py   its console: snapshots, end
control.py   its gRPC service: pictures and touches (needs grpcio, the extra `android`)
device.py    EmulatorDevice: an AdbDevice on an emulator of its own
"""
