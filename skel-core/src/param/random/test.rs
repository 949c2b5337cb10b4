use super::*;
use crate::ir::{build, eval};

/// What the method gives in the interpreter, drawn `draws` times from the generator of one element.
fn interpreted(name: &'static str, stream: Stream, index: usize, draws: usize) -> Vec<Value> {
    let (program, function) = build::build_chosen(|cx| method(name, cx)).unwrap();
    let mut random = Random::new(stream, index).value();
    let mut drawn = Vec::new();
    for _ in 0..draws {
        let outcome = eval::call(&program, function, &[random], 1000).unwrap();
        drawn.push(outcome.result);
        random = outcome.inout[0].clone();
    }
    drawn
}

#[test]
fn an_element_draws_the_published_words() {
    for (counter, key, words) in philox::KNOWN_ANSWERS {
        let stream = Stream {
            seed: u64::from(counter[3]) << 32 | u64::from(key[0]),
            call: key[1],
        };
        let index = (u64::from(counter[1]) << 32 | u64::from(counter[0])) as usize;
        let mut random = Random::new(stream, index);
        random.counter[2] = counter[2];
        assert_eq!(words.map(|_| random.next_u32()), words);
    }
}

#[test]
fn the_ir_draws_the_same() {
    let stream = Stream {
        seed: 0x0123_4567_89ab_cdef,
        call: 3,
    };
    for index in [0, 1, 77, (1 << 40) + 5] {
        let mut random = Random::new(stream, index);
        for (k, value) in interpreted("next_u32", stream, index, 11)
            .iter()
            .enumerate()
        {
            assert!(value.same(&Value::U32(random.next_u32())), "{index}: {k}");
        }
        let mut random = Random::new(stream, index);
        for value in interpreted("uniform_f32", stream, index, 9) {
            assert!(value.same(&Value::F32(random.uniform_f32())));
        }
        let mut random = Random::new(stream, index);
        for value in interpreted("uniform_f64", stream, index, 9) {
            assert!(value.same(&Value::F64(random.uniform_f64())));
        }
        let mut random = Random::new(stream, index);
        for value in interpreted("normal_f32", stream, index, 9) {
            assert!(value.same(&Value::F32(random.normal_f32())));
        }
    }
}

#[test]
fn numbers_are_distributed_as_promised() {
    let n = 100_000;
    let draw = |f: fn(&mut Random) -> f64| -> Vec<f64> {
        let numbers = (0..n).map(|i| f(&mut Random::new(Stream::default(), i)));
        numbers.collect()
    };
    let mean = |x: &[f64]| x.iter().sum::<f64>() / n as f64;
    let variance = |all: &[f64]| {
        let mean = mean(all);
        all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n as f64
    };
    for uniform in [
        draw(|r| f64::from(r.uniform_f32())),
        draw(Random::uniform_f64),
    ] {
        assert!(uniform.iter().all(|x| (0.0..1.0).contains(x)));
        // Within five standard errors.
        assert!((mean(&uniform) - 0.5).abs() < 0.005);
        assert!((variance(&uniform) - 1.0 / 12.0).abs() < 0.002);
    }
    let normal = draw(|r| f64::from(r.normal_f32()));
    assert!(normal.iter().all(|x| x.is_finite()));
    assert!(mean(&normal).abs() < 0.016);
    assert!((variance(&normal) - 1.0).abs() < 0.025);
    let beyond = normal.iter().filter(|x| x.abs() > 1.96).count();
    assert!((beyond as f64 / n as f64 - 0.05).abs() < 0.004);
}

#[test]
fn streams_differ_by_seed_half_call_and_index() {
    let first = |seed, call, index| Random::new(Stream { seed, call }, index).next_u32();
    let words = [
        first(0, 0, 0),
        first(1, 0, 0),
        first(1 << 32, 0, 0),
        first(0, 1, 0),
        first(0, 0, 1),
        first(0, 0, 1 << 32),
    ];
    for (k, word) in words.iter().enumerate() {
        assert!(!words[..k].contains(word), "{words:x?}");
    }
}
