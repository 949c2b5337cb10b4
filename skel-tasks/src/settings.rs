//! What the configurations of schedulers and of work distributions have in common: fields with defaults, read from text and shown as text.

/// Declares a configuration: its name as text, and of each setting its default and what it can be. The struct gets
/// `Default`, `take`, which reads it, and `shown`, which writes what `take` reads.
macro_rules! settings {
    (
        $(#[$doc:meta])*
        $name:ident, $text:literal;
        $($(#[$field_doc:meta])* $field:ident: $of:ty = $default:expr, $expected:expr;)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $of,)*
        }

        impl Default for $name {
            fn default() -> $name {
                $name { $($field: $default,)* }
            }
        }

        impl $name {
            pub(crate) fn take(
                options: &mut $crate::options::Options<'_>,
            ) -> Result<$name, $crate::BadOption> {
                let default = $name::default();
                Ok($name {
                    $($field: options.take(stringify!($field), $expected, default.$field)?,)*
                })
            }

            fn shown(&self) -> String {
                let mut text = String::from($text);
                $(text += &format!(",{}={}", stringify!($field), self.$field);)*
                text
            }
        }
    };
}
pub(crate) use settings;
