//! What a worker is doing right now, readable by the pool at any time and also after the worker's
//! death.
//!
//! One word of memory is shared by the two processes. The worker alone writes it, with a plain
//! store before each test; there is no system call and no lock. The memory file is sealed, so that
//! nothing in the worker can shrink it under the pool (`memfd_create(2)`).

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

/// The worker's side.
#[derive(Debug)]
pub struct Heartbeat {
    page: Page,
}

impl Heartbeat {
    /// Maps the memory that the pool made.
    pub fn from_pool(memory: impl AsFd) -> io::Result<Self> {
        Ok(Self { page: Page::map(memory)? })
    }

    /// The test with this place in the request begins.
    pub fn begin(&self, index: u32) {
        self.beat(u64::from(index) + 1);
    }

    /// No test is running. To be called after the last test of a request, *before* its reply is
    /// written.
    pub fn idle(&self) {
        self.beat(0);
    }

    /// There is a single writer, so that reading and storing need not be one step.
    fn beat(&self, running: u64) {
        let word = self.page.word();
        let count = (word.load(Ordering::Relaxed) >> 32) + 1;
        word.store(count << 32 | running & u64::from(u32::MAX), Ordering::Release);
    }
}

/// The pool's side.
#[derive(Debug)]
pub(crate) struct Pulse {
    page: Page,
}

impl Pulse {
    /// New memory, and the descriptor under which a worker finds it.
    pub(crate) fn new() -> io::Result<(Self, OwnedFd)> {
        let memory = memfd_create("crashback-heartbeat", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
        ftruncate(&memory, LENGTH as u64)?;
        fcntl_add_seals(&memory, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        Ok((Self { page: Page::map(&memory)? }, memory))
    }

    /// The last beat.
    pub(crate) fn last(&self) -> Beat {
        Beat(self.page.word().load(Ordering::Acquire))
    }
}

/// One reading. Two that are equal mean that nothing has happened between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Beat(u64);

impl Beat {
    /// Place in the request of the test that is running. It is the worker's word: any number.
    pub(crate) fn running(self) -> Option<usize> {
        usize::try_from(self.0 & u64::from(u32::MAX)).ok()?.checked_sub(1)
    }
}

const LENGTH: usize = 4096;

/// A shared mapping of the memory; its first word is the beat: a count above, the running test plus
/// one below.
#[derive(Debug)]
struct Page {
    start: NonNull<AtomicU64>,
}

// SAFETY: The mapping belongs to no thread, and all access to it is atomic.
unsafe impl Send for Page {}
// SAFETY: As above.
unsafe impl Sync for Page {}

impl Page {
    fn map(memory: impl AsFd) -> io::Result<Self> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: The kernel chooses an address that nothing else uses.
        let start = unsafe { mmap(ptr::null_mut(), LENGTH, access, MapFlags::SHARED, memory, 0) }?;
        let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::AddrNotAvailable)?;
        Ok(Self { start })
    }

    fn word(&self) -> &AtomicU64 {
        // SAFETY: A mapping begins at a page, so the word is aligned; it stays mapped as long as
        // `self` lives, and the seals of the memory keep it backed. Both processes access it as an
        // atomic.
        unsafe { self.start.as_ref() }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: These are the address and length of our own mapping, and no reference to it
        // outlives `self`.
        let unmapped = unsafe { munmap(self.start.as_ptr().cast(), LENGTH) };
        debug_assert!(unmapped.is_ok(), "a mapping of ours can be removed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pool_sees_what_the_worker_does() {
        let (pulse, memory) = Pulse::new().unwrap();
        let heartbeat = Heartbeat::from_pool(&memory).unwrap();
        let fresh = pulse.last();
        assert_eq!(fresh.running(), None);
        heartbeat.begin(0);
        let first = pulse.last();
        assert_eq!(first.running(), Some(0));
        heartbeat.begin(0);
        assert_ne!(pulse.last(), first, "the same test again is a beat, too");
        heartbeat.begin(255);
        assert_eq!(pulse.last().running(), Some(255));
        heartbeat.idle();
        assert_eq!(pulse.last().running(), None);
        assert_ne!(pulse.last(), fresh);
    }

    #[test]
    fn the_worker_cannot_take_the_memory_away() {
        let (_pulse, memory) = Pulse::new().unwrap();
        assert!(ftruncate(&memory, 0).is_err());
    }
}
