//! Cases of switches over texts that lead on to the crash. A text meets one of them only as a whole, so that
//! no distance leads there.

use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::{Cfg, ControlDependence, Flow, text_switches};
use crashback_program::frames::FrameAudit;
use crashback_testcase::Text;

use crate::collect::Offers;

/// Notes the cases that decide whether a method goes on as the trace says.
pub(crate) fn of_frame(classes: &Classes<'_>, frame: &FrameAudit, method: MethodId, offers: &mut Offers<'_>) {
    classes.with_body(method, |body| {
        let switches = text_switches(body);
        if switches.is_empty() {
            return;
        }
        let cfg = Cfg::of(body);
        let of_line = || frame.line.into_iter().flat_map(|it| body.instructions_at_line(it)).flatten();
        let goal: Vec<usize> = if frame.able.is_empty() { of_line().collect() } else { frame.able.clone() };
        let goal = goal.into_iter().filter_map(|it| cfg.block_at(it));
        let approach = ControlDependence::of(&cfg, Flow::Normal).approach(&cfg, goal);
        let leads_on = |from: usize, to: usize| {
            let (from, to) = (cfg.block_at(from), cfg.block_at(to));
            let edges = approach.edges().filter_map(|(edge, _)| cfg.edge(edge));
            edges.into_iter().any(|it| Some(it.from) == from && Some(it.to) == to)
        };
        for case in switches.iter().flat_map(|it| &it.cases) {
            if leads_on(case.decided_at, case.target) {
                offers.add_case(Text::from(case.text.as_str()));
            }
        }
    });
}
