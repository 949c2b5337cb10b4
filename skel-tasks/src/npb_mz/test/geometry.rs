//! Numbers that the suite itself prints.

use super::super::{Benchmark, Class, Mesh};

fn widths(benchmark: Benchmark, class: Class) -> (Vec<usize>, Vec<usize>) {
    let mesh = Mesh::new(benchmark, class);
    let x = (0..mesh.x_zones()).map(|x| mesh.zone(x).nx).collect();
    let y = (0..mesh.y_zones()).map(|y| mesh.zone(y * mesh.x_zones()).ny);
    (x, y.collect())
}

#[test]
fn zones_of_bt_mz() {
    for (class, x, y) in [
        (Class::S, &[6, 18][..], &[6, 18][..]),
        (Class::W, &[6, 11, 18, 29], &[6, 11, 18, 29]),
        (Class::A, &[13, 21, 36, 58], &[13, 21, 36, 58]),
        (
            Class::B,
            &[16, 20, 24, 30, 38, 47, 57, 72],
            &[11, 13, 17, 21, 26, 31, 40, 49],
        ),
        (
            Class::C,
            &[
                13, 14, 15, 18, 19, 21, 23, 26, 28, 31, 35, 38, 43, 47, 52, 57,
            ],
            &[
                8, 10, 10, 12, 12, 14, 16, 17, 19, 21, 23, 26, 28, 31, 35, 38,
            ],
        ),
    ] {
        assert_eq!(
            widths(Benchmark::Bt, class),
            (x.to_vec(), y.to_vec()),
            "{class}"
        );
    }
    let mesh = Mesh::new(Benchmark::Bt, Class::D);
    let (x, y) = widths(Benchmark::Bt, Class::D);
    assert_eq!((x[0], x[31], y[0], y[31]), (22, 98, 16, 73));
    assert_eq!((mesh.len(), mesh.all_points()), (1024, 67_473_408));
    let ratio = mesh.points(1023) as f64 / mesh.points(0) as f64;
    assert!((ratio - 20.32).abs() < 0.005, "{ratio}");
}

#[test]
fn zones_of_sp_mz_and_lu_mz_are_alike() {
    for (benchmark, class, nx, ny) in [
        (Benchmark::Sp, Class::S, 12, 12),
        (Benchmark::Sp, Class::W, 16, 16),
        (Benchmark::Sp, Class::A, 32, 32),
        (Benchmark::Sp, Class::B, 38, 26),
        (Benchmark::Sp, Class::C, 30, 20),
        (Benchmark::Sp, Class::D, 51, 38),
        (Benchmark::Lu, Class::S, 6, 6),
        (Benchmark::Lu, Class::W, 16, 16),
        (Benchmark::Lu, Class::A, 32, 32),
        (Benchmark::Lu, Class::B, 76, 52),
        (Benchmark::Lu, Class::C, 120, 80),
        (Benchmark::Lu, Class::D, 408, 304),
    ] {
        let mesh = Mesh::new(benchmark, class);
        for zone in 0..mesh.len() {
            let zone = mesh.zone(zone);
            assert_eq!((zone.nx, zone.ny), (nx, ny), "{benchmark} {class}");
        }
    }
    assert_eq!(Mesh::new(Benchmark::Lu, Class::D).len(), 16);
    assert_eq!(Mesh::new(Benchmark::Sp, Class::D).len(), 1024);
}

#[test]
fn zones_lie_on_a_torus() {
    let mesh = Mesh::new(Benchmark::Sp, Class::C);
    let mut faces = vec![0; mesh.len()];
    for (a, b) in mesh.faces() {
        faces[a] += 1;
        faces[b] += 1;
    }
    assert!(faces.iter().all(|count| *count == 4));
    let of_one = mesh.cut_faces(&vec![0; mesh.len()]);
    // The upper half elsewhere: two rows of faces.
    let halves: Vec<usize> = (0..mesh.len()).map(|zone| zone / 128).collect();
    assert_eq!((of_one, mesh.cut_faces(&halves)), (0, 32));
    // 16 × 16 zones.
    assert_eq!(
        [mesh.west(0), mesh.east(0), mesh.south(0), mesh.north(0)],
        [15, 1, 240, 16]
    );
    for zone in 0..mesh.len() {
        assert_eq!(mesh.west(mesh.east(zone)), zone);
        assert_eq!(mesh.south(mesh.north(zone)), zone);
    }
}

#[test]
fn names_are_read_and_nonsense_is_named() {
    assert_eq!("BT-MZ".parse::<Benchmark>().unwrap(), Benchmark::Bt);
    assert_eq!("b".parse::<Class>().unwrap(), Class::B);
    let error = "bt".parse::<Benchmark>().unwrap_err().to_string();
    assert!(error.contains("sp-mz, bt-mz, lu-mz"), "{error}");
    let error = "E".parse::<Class>().unwrap_err().to_string();
    assert!(error.contains("S, W, A, B, C, D"), "{error}");
}
