//! What users write first: names from the prelude, views of host memory where slices are taken, edges as values.

mod names {
    //! Only the prelude is in scope here, and nothing of std is hidden by it.
    use skel::prelude::*;

    #[user_function]
    fn half(x: f32) -> f32 {
        0.5 * x
    }

    #[user_function]
    fn add(a: f32, b: f32) -> f32 {
        a + b
    }

    #[user_function]
    fn product(a: f32, b: f32) -> f32 {
        a * b
    }

    #[user_function]
    fn slope(w: Window1<f32, 1>) -> f32 {
        w[1] - w[-1]
    }

    #[user_function]
    fn larger(p: Pool1<f32, 2>) -> f32 {
        p[0].max(p[1])
    }

    #[user_function]
    fn ends(l: &mut Line<f32>) {
        l[0] = l[l.len() - 1];
    }

    #[user_function]
    fn sums(w: Sweep1<f32, 1>) -> f32 {
        w[0] + w[-1]
    }

    #[user_function]
    fn first(xs: &[f32]) -> f32 {
        xs[0]
    }

    /// Every skeleton has its macro and its type in the prelude.
    struct Instances {
        map: Map<half>,
        map_overlap: MapOverlap<slope>,
        map_overlap_reduce: MapOverlapReduce<slope, add>,
        map_pool: MapPool<larger>,
        map_pairs: MapPairs<product>,
        map_pairs_reduce: MapPairsReduce<product, add>,
        reduce: Reduce<add>,
        map_reduce: MapReduce<half, add>,
        scan: Scan<add>,
        map_lines: MapLines<ends>,
        sweep: Sweep<sums>,
        call: Call<first>,
    }

    #[test]
    fn the_prelude_has_a_type_for_every_macro() -> std::result::Result<(), Error> {
        let all = Instances {
            map: map!(half),
            map_overlap: map_overlap!(slope),
            map_overlap_reduce: map_overlap_reduce!(slope, add),
            map_pool: map_pool!(larger),
            map_pairs: map_pairs!(product),
            map_pairs_reduce: map_pairs_reduce!(product, add),
            reduce: reduce!(add),
            map_reduce: map_reduce!(half, add),
            scan: scan!(add),
            map_lines: map_lines!(ends),
            sweep: sweep!(sums),
            call: call!(first),
        };
        let x = [4.0, 6.0];
        assert_eq!(all.map.run((&x,))?.host()?, [2.0, 3.0]);
        assert_eq!(all.map_overlap.run((&x,))?.host()?, [2.0, 2.0]);
        assert_eq!(all.map_overlap_reduce.run((&x,))?, 4.0);
        assert_eq!(all.map_pool.run((&x,))?.host()?, [6.0]);
        let pairs = all.map_pairs.run((down(&x), across(&x)))?;
        assert_eq!(pairs.host()?, [16.0, 24.0, 24.0, 36.0]);
        let sums = all.map_pairs_reduce.run((down(&x), across(&x)))?;
        assert_eq!(sums.host()?, [40.0, 60.0]);
        assert_eq!(all.reduce.run((&x,))?, 10.0);
        assert_eq!(all.map_reduce.run((&x,))?, 5.0);
        assert_eq!(all.scan.run((&x,))?.host()?, [4.0, 10.0]);
        let mut line = Vector::from([4.0, 6.0]);
        all.map_lines.run((&mut line,))?;
        assert_eq!(line.host()?, [6.0, 6.0]);
        all.sweep.pad(0.0).run((&mut line,))?;
        assert_eq!(line.host()?, [6.0, 12.0]);
        assert_eq!(all.call.run((&x,))?, 4.0);
        Ok(())
    }

    /// `Result` with two parameters is the one of std.
    fn parsed(text: &str) -> Result<f32, std::num::ParseFloatError> {
        text.parse()
    }

    #[test]
    fn the_prelude_hides_nothing_of_std() {
        assert_eq!(parsed("1.5"), Ok(1.5));
    }

    mod own_names {
        use skel::prelude::*;

        /// A type of one's own named `Error` takes precedence over the prelude's.
        #[derive(Debug, PartialEq)]
        enum Error {
            Empty,
        }

        fn first(x: &Vector<u32>) -> Result<u32, Error> {
            let elements = x.host().map_err(|_| Error::Empty)?;
            elements.first().copied().ok_or(Error::Empty)
        }

        #[test]
        fn an_error_of_ones_own_is_not_ambiguous() {
            assert_eq!(first(&Vector::from([3, 4])), Ok(3));
            assert_eq!(first(&Vector::filled(0, 1)), Err(Error::Empty));
        }
    }
}

mod views {
    use skel::prelude::*;

    fn total(x: &[u32]) -> u32 {
        x.iter().sum()
    }

    #[test]
    fn a_view_of_the_host_is_taken_wherever_a_slice_is() -> skel::Result<()> {
        let v = Vector::from([1_u32, 2, 3]);
        let seen = v.host()?;
        assert_eq!(total(&seen), 6);
        assert_eq!(map!(|x: u32| 2 * x).run((&seen,))?.host()?, [2, 4, 6]);
        let gathered = map!(|i: u32, xs: &[u32]| xs[2 - i as usize]);
        assert_eq!(gathered.run((&[0, 1, 2], &seen))?.host()?, [3, 2, 1]);
        let next = map_overlap!(|w: Window1<u32, 1>| w[1]);
        assert_eq!(next.run((&seen,))?.host()?, [2, 3, 3]);
        let pairs = map_pairs!(|a: u32, b: u32| 10 * a + b);
        let pairs = pairs.run((down(&seen), across(&[7])))?;
        assert_eq!(pairs.host()?, [17, 27, 37]);
        Ok(())
    }
}

mod edges {
    use skel::prelude::*;

    #[user_function]
    fn before_and_after(w: Window1<i32, 2>) -> i32 {
        100 * w[-2] + w[2]
    }

    #[test]
    fn edges_are_values_of_one_type_and_so_are_the_instances() -> skel::Result<()> {
        let edges = [
            Edge::Cyclic,
            Edge::Duplicate,
            Edge::Reflect,
            Edge::Symmetric,
            Edge::Pad,
        ];
        let f = map_overlap!(before_and_after).pad(9);
        let instances: Vec<_> = edges.map(|edge| f.clone().edge(edge)).into();
        let mut found = Vec::new();
        for instance in &instances {
            found.push(instance.run((&[1, 2, 3],))?.to_vec()?);
        }
        // What `numpy.pad([1, 2, 3], 2, …)` gives: wrap, edge, reflect, symmetric, constant.
        let padded = [
            [2, 3, 1, 2, 3, 1, 2],
            [1, 1, 1, 2, 3, 3, 3],
            [3, 2, 1, 2, 3, 2, 1],
            [2, 1, 1, 2, 3, 3, 2],
            [9, 9, 1, 2, 3, 9, 9],
        ];
        let expected = padded.map(|x| [0, 1, 2].map(|i| 100 * x[i] + x[i + 4]).to_vec());
        assert_eq!(found, expected);
        Ok(())
    }
}

mod errors {
    use skel::prelude::*;

    #[test]
    fn an_error_is_found_in_the_chain_of_any_reporter() {
        let refused: Box<dyn std::error::Error> = Box::new(Error::Late {
            call: "blur".into(),
            elements: 3..7,
            cause: Error::DeviceLost {
                device: "gpu".into(),
                reason: "unplugged".into(),
            }
            .into(),
        });
        let mut chain = vec![refused.to_string()];
        let mut next = refused.source();
        while let Some(cause) = next {
            assert!(cause.downcast_ref::<Error>().is_some());
            chain.push(cause.to_string());
            next = cause.source();
        }
        let expected = [
            "elements 3..7, written by blur, are unavailable",
            "gpu is lost: unplugged",
        ];
        assert_eq!(chain, expected);
    }
}
