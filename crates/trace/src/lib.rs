//! Text of logs to crashes: a total parser for Java stack traces, and the comparison of traces.
