//! Devices that have no room at all.
