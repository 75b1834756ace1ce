//! Messages between the search and a worker: test cases one way, observations the other.
