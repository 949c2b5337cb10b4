//! Splitting a handle in two, so that tasks can access parts of what it stands for.

use super::{Graph, State};
use crate::{Access, HandleId, TaskError};

impl Graph {
    /// Splits the last `bytes` off the data of a handle. They have a handle of their own from now on, which is as the
    /// other one was: what a task that is not over does with that, it does with both.
    ///
    /// # Errors
    /// [`TaskError::UnknownHandle`].
    pub(crate) fn split(&mut self, handle: HandleId, bytes: u64) -> Result<HandleId, TaskError> {
        let part = self.handles.split(handle, bytes)?;
        // Each group of the handle has a twin, which has the same members. What waits for the group does so
        // already, so nothing waits for the twin yet.
        let mut twins: Vec<(u32, u32)> = Vec::new();
        let mut users = self.handles.of(handle).users;
        for (hot, cold) in self.hot.iter().zip(&mut self.cold) {
            if users == 0 {
                break;
            }
            if hot.state == State::Free {
                continue;
            }
            let found = cold.accesses.iter().position(|it| it.handle == handle);
            let Some(at) = found else {
                continue;
            };
            users -= 1;
            let (mode, group) = (cold.accesses[at].mode, cold.groups[at]);
            let known = twins.iter().find(|(of, _)| *of == group);
            let twin = known.map_or_else(|| self.groups.begin(), |(_, twin)| *twin);
            if known.is_none() {
                twins.push((group, twin));
            }
            self.groups.enter(twin);
            let handle = part;
            cold.accesses.push(Access { handle, mode });
            cold.groups.push(twin);
        }
        let order = self.handles.of(handle).order.of_twins(&twins);
        // Groups from before the two that matter end with their members.
        for (_, twin) in twins.into_iter().filter(|(_, twin)| !order.has(*twin)) {
            self.groups.forget(twin);
        }
        self.handles.at(part).order = order;
        Ok(part)
    }
}
