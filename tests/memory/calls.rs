//! Calls on four times the device's memory, against plain loops.
