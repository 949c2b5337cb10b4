//! `docs/distribution.md` and its pictures say what the code says. To write them anew: the example `distribute` with
//! `--markdown`, and with `--benchmark bt-mz --class C --units 16x1+2 --scheduler NAME --map FILE --svg FILE`, and `--benchmark NAME --beside-paper FILE`.

use skel_tasks::{
    distribution,
    npb_mz::{
        Benchmark, Class, Evaluation, Mesh, Model, beside_paper_svg, beside_paper_table, evaluate,
        map_svg, table,
    },
};
use std::{fs, path::Path};

fn docs(file: &str) -> String {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    fs::read_to_string(docs.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn the_table_is_what_comes_out() {
    let mesh = Mesh::new(Benchmark::Bt, Class::D);
    let units = ["16x1+1", "32x1+1", "63x1+1", "16x1+2", "62x1+2"];
    let schemes: Vec<&str> = distribution::names().collect();
    let model = |units| Model::paper(&mesh, units);
    let text = table(&mesh, &units, &schemes, model).unwrap();
    assert!(
        docs("distribution.md").contains(&text),
        "the table should be:\n{text}"
    );
}

#[test]
fn pictures_are_what_comes_out() {
    let mesh = Mesh::new(Benchmark::Bt, Class::C);
    let model = Model::paper(&mesh, "16x1+2".parse().unwrap());
    let done = |scheme: &str| -> Evaluation {
        evaluate(&mesh, &model, distribution::parse(scheme).unwrap()).unwrap()
    };
    for scheme in ["dynamic", "static-pcf", "clustered-guided"] {
        let map = map_svg(&mesh, &done(scheme).last, 500);
        assert!(
            docs(&format!("pictures/zones-{scheme}.svg")) == map,
            "{scheme}"
        );
    }
    let step = done("clustered-guided").last.svg(1_000);
    assert!(docs("pictures/distribution-step.svg") == step);
}

#[test]
fn what_was_measured_stands_beside_what_comes_out() {
    for (benchmark, name) in [(Benchmark::Bt, "bt"), (Benchmark::Lu, "lu")] {
        let text = beside_paper_table(benchmark).unwrap();
        assert!(
            docs("distribution.md").contains(&text),
            "the table should be:\n{text}"
        );
        let picture = docs(&format!("pictures/npb-{name}-speedups.svg"));
        assert!(
            picture == beside_paper_svg(benchmark, 900).unwrap(),
            "{name}"
        );
    }
}
