//! What the NAS multi-zone benchmarks, 3.3.1, publish for their verification.

use super::equations::State;
use skel::tasks::npb_mz::{Benchmark, Class};

/// Norms after the last step, of what is left of the equations and of the distance to the exact solution.
pub(crate) struct Norms {
    pub(crate) residual: State,
    pub(crate) error: State,
}

/// The length of a time step; none of what there is no program for here.
pub(crate) fn dt(benchmark: Benchmark, class: Class) -> Option<f64> {
    let [s, w, a, b, c, d] = match benchmark {
        Benchmark::Sp => [0.015, 0.0015, 0.0015, 0.001, 0.000_67, 0.0003],
        Benchmark::Bt => [0.01, 0.0008, 0.0008, 0.0003, 0.0001, 0.000_02],
        Benchmark::Lu => return None,
    };
    Some(match class {
        Class::S => s,
        Class::W => w,
        Class::A => a,
        Class::B => b,
        Class::C => c,
        Class::D => d,
    })
}

/// The published norms; none for larger classes.
#[rustfmt::skip]
pub(crate) fn norms(benchmark: Benchmark, class: Class) -> Option<Norms> {
    let (residual, error) = match (benchmark, class) {
        (Benchmark::Sp, Class::S) => (
            [0.7698876173566e+01, 0.1517766790280e+01, 0.2686805141546e+01, 0.1893688083690e+01, 0.1369739859738e+02],
            [0.9566808043467e+01, 0.3894109553741e+01, 0.4516022447464e+01, 0.4099103995615e+01, 0.7776038881521e+01],
        ),
        (Benchmark::Sp, Class::W) => (
            [0.1887636218359e+03, 0.1489637963542e+02, 0.4851711701400e+02, 0.3384633608154e+02, 0.4036632495857e+03],
            [0.2975895149929e+02, 0.1341508175806e+02, 0.1585310846491e+02, 0.1450916426713e+02, 0.5854137431023e+02],
        ),
        (Benchmark::Sp, Class::A) => (
            [0.2800097900548e+03, 0.2268349014438e+02, 0.7000852739901e+02, 0.5000771004061e+02, 0.5552068537578e+03],
            [0.3112046666578e+02, 0.1172197785348e+02, 0.1486616708032e+02, 0.1313680576292e+02, 0.7365834058154e+02],
        ),
        (Benchmark::Bt, Class::S) => (
            [0.1047687395830e+04, 0.9419911314792e+02, 0.2124737403068e+03, 0.1422173591794e+03, 0.1135441572375e+04],
            [0.1775416062982e+03, 0.1875540250835e+02, 0.3863334844506e+02, 0.2634713890362e+02, 0.1965566269675e+03],
        ),
        (Benchmark::Bt, Class::W) => (
            [0.5562611195402e+05, 0.5151404119932e+04, 0.1080453907954e+05, 0.6576058591929e+04, 0.4528609293561e+05],
            [0.7185154786403e+04, 0.7040472738068e+03, 0.1437035074443e+04, 0.8570666307849e+03, 0.5991235147368e+04],
        ),
        (Benchmark::Bt, Class::A) => (
            [0.5536703889522e+05, 0.5077835038405e+04, 0.1067391361067e+05, 0.6441179694972e+04, 0.4371926324069e+05],
            [0.6716797714343e+04, 0.6512687902160e+03, 0.1332930740128e+04, 0.7848302089180e+03, 0.5429053878818e+04],
        ),
        _ => return None,
    };
    Some(Norms { residual, error })
}
