//! Values, types and members worth trying, from the program, the crash and what executions showed.
