//! Random calls over a few containers, against plain vectors.
