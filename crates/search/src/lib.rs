//! Search algorithms over a problem that they know nothing of.
