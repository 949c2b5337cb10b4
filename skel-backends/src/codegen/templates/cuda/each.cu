for (u64 at = ${from}; at < ${end}; at += ${steps}) {
    ${body}
}
