//! Settings: what is read, shown and refused.

use super::machine;
use crate::{
    BadOption, Configuration as _,
    scheduler::{self, Affinity, LaHeteroprio},
};

fn build(text: &str) -> Result<(), BadOption> {
    scheduler::parse(text)?.build(&machine(2, 2)).map(drop)
}

#[test]
fn text_is_read_as_it_is_shown() {
    for text in [
        "laheteroprio",
        "laheteroprio,affinity=sdh2,s=1,l=2",
        "laheteroprio,affinity=smwb,s=0/cpu:2,l=all/cpu:1",
        "laheteroprio,alpha=0.25,theta=0.5,ignore_common=true,ties=highest",
        "laheteroprio,s=cpu:1/gpu:2,order=cpu:0+1/gpu:1,slow=1:cpu:3",
    ] {
        assert_eq!(scheduler::parse(text).unwrap().text(), text);
        assert_eq!(build(text), Ok(()));
    }
}

#[test]
fn each_affinity_has_a_name() {
    for name in ["laru", "mc", "sdh", "sdh2", "sdhb", "smwb", "auto"] {
        let affinity: Affinity = name.parse().unwrap();
        assert_eq!(affinity.to_string(), name);
        assert_eq!(build(&format!("laheteroprio,affinity={name}")), Ok(()));
    }
}

#[test]
fn bad_settings_are_named_with_their_choices() {
    for (options, what) in [
        ("s=3", "`s` is `3`; expected 0 to 2: the machine has 3"),
        ("s=1/gpu:3", "`s` is `3`; expected 0 to 2"),
        ("s=-1", "`s` is `-1`; expected a number of memory nodes"),
        ("s=1/2", "`s` is `1/2`; expected a number of memory nodes"),
        ("s=tpu:1", "`s` is `tpu`; expected one of cpu, gpu"),
        (
            "s=cpu:1/cpu:1",
            "`s` is `cpu:1`; expected each architecture",
        ),
        ("l=0", "`l` is `0`; expected a number of buckets from 1"),
        ("l=2/gpu:0", "`l` is `0`; expected a number of buckets"),
        (
            "alpha=1.5",
            "`alpha` is `1.5`; expected a number from 0 to 1",
        ),
        ("alpha=-0.1", "`alpha` is `-0.1`"),
        ("alpha=NaN", "`alpha` is `NaN`"),
        ("theta=-1", "`theta` is `-1`; expected a multiple of 0.001"),
        ("theta=NaN", "`theta` is `NaN`"),
        ("theta=inf", "`theta` is `inf`"),
        ("theta=0.0001", "`theta` is `0.0001`"),
        (
            "affinity=sdh3",
            "one of laru, mc, sdh, sdh2, sdhb, smwb, auto",
        ),
        ("ties=random", "expected one of lowest, highest"),
        ("ignore_common=2", "expected true or false"),
        ("order=gpu:1+2+1", "`order` is `bucket 1 for gpu, twice`"),
        (
            "n=1",
            "one of the options affinity, s, l, alpha, theta, ignore_common",
        ),
    ] {
        let error = build(&format!("laheteroprio,{options}")).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
    }
    let host_alone = crate::Machine::cores(4).unwrap();
    assert!(LaHeteroprio::default().build(&host_alone).is_ok());
}
