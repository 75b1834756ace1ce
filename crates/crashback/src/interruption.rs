//! Ending early: a switch that the caller turns, and everything that must end then.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use crashback_jvm::pool::{Pool, PoolHandle};
use crashback_protocol::{Batch, Evaluator, Failure, Results, Ticket, Usage, Waited};

/// A switch with which another thread, such as one that waits for signals, ends what is going on.
///
/// It has two stages. A [request](Self::request) stops workers and Maven; a test that was found by
/// then is still verified. After the [deadline](Self::give_up) that is given up, too. All clones
/// are one switch; `Interruption::default()` is never turned. A [child](Self::child) ends one of
/// several things that go on at the same time, and is turned with its parent.
#[derive(Clone, Debug, Default)]
pub struct Interruption {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    is_requested: Arc<AtomicBool>,
    is_given_up: AtomicBool,
    /// Folders that do not outlive the process.
    folders: Mutex<Vec<PathBuf>>,
    /// Pools that are running.
    pools: Mutex<Pools>,
    /// Switches that are turned with this one, as long as anything uses them.
    children: Mutex<Vec<Weak<Shared>>>,
}

#[derive(Debug, Default)]
struct Pools {
    next: u64,
    running: Vec<(u64, PoolHandle)>,
}

impl Interruption {
    /// A switch of its own that is turned whenever this one is.
    pub fn child(&self) -> Self {
        let child = Self::default();
        let mut children = self.shared.children.lock().unwrap_or_else(PoisonError::into_inner);
        children.retain(|it| it.strong_count() > 0);
        children.push(Arc::downgrade(&child.shared));
        drop(children);
        // A request that came before the child was there does not reach it otherwise.
        if self.is_requested() {
            child.request();
        }
        if self.is_given_up() {
            child.give_up();
        }
        child
    }

    /// Asks everything to end soon, with the best result so far, and stops all workers.
    pub fn request(&self) {
        self.shared.is_requested.store(true, Ordering::SeqCst);
        // Not while the lock is held: a pool that is being stopped may be dropped, too.
        let running: Vec<PoolHandle> = self.pools().running.iter().map(|(_, it)| it.clone()).collect();
        running.iter().for_each(PoolHandle::stop);
        self.children().iter().for_each(Self::request);
    }

    /// Asks for an end at once: a verification that is going on is given up.
    pub fn give_up(&self) {
        self.shared.is_given_up.store(true, Ordering::SeqCst);
        self.children().iter().for_each(Self::give_up);
    }

    /// Whether an end was asked for.
    pub fn is_requested(&self) -> bool {
        self.shared.is_requested.load(Ordering::SeqCst)
    }

    /// Whether an end at once was asked for.
    pub fn is_given_up(&self) -> bool {
        self.shared.is_given_up.load(Ordering::SeqCst)
    }

    /// A flag that [`request`](Self::request) sets, for code that looks at nothing else.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.shared.is_requested)
    }

    /// Whether any pool of workers is running.
    pub fn has_workers(&self) -> bool {
        !self.pools().running.is_empty() || self.children().iter().any(Self::has_workers)
    }

    /// Lets a request stop a pool, from now until the pool is dropped.
    pub fn watch(&self, pool: Pool) -> WatchedPool {
        let mut pools = self.pools();
        let number = pools.next;
        pools.next += 1;
        pools.running.push((number, pool.handle()));
        if self.is_requested() {
            pool.handle().stop();
        }
        drop(pools);
        WatchedPool { pool, number, interruption: self.clone() }
    }

    /// Remembers a temporary folder for [`remove_folders`](Self::remove_folders).
    pub fn register_folder(&self, folder: &Path) {
        self.folders().push(folder.to_owned());
    }

    /// Removes all temporary folders: for a process that is about to exit in the middle of
    /// something. Whoever comes to its end removes its folders itself.
    pub fn remove_folders(&self) {
        for folder in self.folders().iter() {
            // Most are gone already.
            let _ = fs::remove_dir_all(folder);
        }
        self.children().iter().for_each(Self::remove_folders);
    }

    /// The switches that are turned with this one.
    fn children(&self) -> Vec<Self> {
        let children = self.shared.children.lock().unwrap_or_else(PoisonError::into_inner);
        children.iter().filter_map(Weak::upgrade).map(|shared| Self { shared }).collect()
    }

    fn pools(&self) -> MutexGuard<'_, Pools> {
        self.shared.pools.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn folders(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.shared.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A pool that an interruption stops.
#[derive(Debug)]
pub struct WatchedPool {
    /// The pool.
    pub pool: Pool,
    number: u64,
    interruption: Interruption,
}

impl Evaluator for WatchedPool {
    fn submit(&mut self, batch: Batch<'_>) -> Result<Ticket, Failure> {
        self.pool.submit(batch)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<Results, Failure> {
        self.pool.collect(ticket)
    }

    fn is_done(&self, ticket: &Ticket) -> bool {
        self.pool.is_done(ticket)
    }

    fn wait(&mut self, ticket: &Ticket, few: usize, at_most: Duration) -> Waited {
        self.pool.wait(ticket, few, at_most)
    }

    fn workers(&self) -> Vec<Usage> {
        self.pool.workers()
    }
}

impl Drop for WatchedPool {
    fn drop(&mut self) {
        self.interruption.pools().running.retain(|(number, _)| *number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_turned_with_its_parent_and_not_the_other_way() {
        let parent = Interruption::default();
        let (one, other) = (parent.child(), parent.child());
        one.request();
        one.give_up();
        assert!(!parent.is_requested() && !parent.is_given_up() && !other.is_requested());
        parent.request();
        assert!(other.is_requested() && !other.is_given_up());
        parent.give_up();
        assert!(other.is_given_up());
        let late = parent.child();
        assert!(late.is_requested() && late.is_given_up());
    }

    #[test]
    fn folders_of_children_are_removed_with_those_of_their_parent() {
        let folder = tempfile::tempdir().expect("a folder");
        let (own, childs) = (folder.path().join("own"), folder.path().join("child's"));
        let parent = Interruption::default();
        let child = parent.child();
        for (switch, path) in [(&parent, &own), (&child, &childs)] {
            fs::create_dir(path).expect("a folder");
            switch.register_folder(path);
        }
        parent.remove_folders();
        assert!(!own.exists() && !childs.exists());
    }
}
