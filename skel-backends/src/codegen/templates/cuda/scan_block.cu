const u64 elems = skel_least(left - skel_least(left, place * 16u), 16u);
${reaches}
