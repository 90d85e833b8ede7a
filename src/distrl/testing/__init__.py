"""Contract suites and small fakes, for the tests of distrl and of plug-ins that implement its Protocols."""
