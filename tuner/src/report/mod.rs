//! The report: one HTML file, with pictures, that needs nothing else.
//!
//! | module | what |
//! |---|---|
//! | [`svg`] | writes elements, and keeps names from ending them |
//! | [`scale`] | axes, and the values beside them |
//! | [`chart`] | axes, lines, dots, marks and a legend together |
//! | [`pictures`] | the charts of an instance |
//! | [`timeline`] | lanes of what went on in a run |
//! | [`blocks`] | the table of block configurations of a device |
//! | [`html`] | the page |

pub mod blocks;
pub mod chart;
pub mod html;
pub mod palette;
pub mod pictures;
pub mod scale;
pub mod svg;
pub mod timeline;

pub use html::Page;

#[cfg(test)]
pub(crate) mod test;
