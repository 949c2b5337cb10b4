//! What is wrong with the text of a model.

/// Why a text is no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadModel {
    /// It does not begin as models do.
    #[error("this is no model of tasks: it begins with `{found}` instead of `skel.tasks/1`")]
    Foreign {
        /// How it begins, up to 40 characters.
        found: String,
    },
    /// It is a model in another version of the format.
    #[error("the model is version `{found}` of `skel.tasks`; version 1 can be read")]
    Version {
        /// The version.
        found: String,
    },
    /// A line cannot be what it is.
    #[error("line {line} of the model: {what}")]
    Line {
        /// Which one, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
}
