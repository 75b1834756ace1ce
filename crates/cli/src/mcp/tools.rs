//! The tools and their descriptions.

use crashback_mcp::Tool;

use super::inputs::{self, OF_CRASHES, OF_DOCTOR, OF_LOGS, OF_SEARCHES};
use super::schemas;

/// When and how to use the tools, for models.
pub(super) const INSTRUCTIONS: &str = "\
Crashback turns the stack trace of a Java program into a JUnit test that crashes in the same way, and \
verifies it in plain JVMs. Use it when a log or issue has a Java stack trace and the program's classes are \
at hand: call `reproduce` with the log, the class path of the version that crashed (compiled classes and \
all dependencies) and `out` (src/test/java). The program must be compiled first. If the crash is not \
reproduced, the result says which obstacle the search met and how the frames can be called by hand. Use \
`list` if a log has many crashes, `explain` to see what a trace points at without a search, and `doctor` if \
a call says that the machine lacks something. Searches run one after the other; other calls do not wait for \
them. Nothing is overwritten without `force`.";

/// Whether a tool searches, so that its calls are made one after the other.
pub(super) fn is_search(tool: &str) -> bool {
    tool == "reproduce"
}

/// The names of the inputs of a tool; none if there is no such tool.
pub(super) fn inputs_of(tool: &str) -> Option<Vec<&'static str>> {
    let parts: &[&[&'static str]] = match tool {
        "doctor" => &[&OF_DOCTOR],
        "list" => &[&OF_LOGS],
        "explain" => &[&OF_LOGS, &OF_CRASHES],
        "reproduce" => &[&OF_LOGS, &OF_CRASHES, &OF_SEARCHES],
        _ => return None,
    };
    Some(parts.concat())
}

/// All tools.
pub(super) fn all() -> Vec<Tool> {
    let schema = |tool: &str| inputs::schema(&inputs_of(tool).unwrap_or_default());
    let tool = Tool {
        name: "reproduce",
        title: "Reproduce a Java crash",
        description: "Searches for a JUnit test that crashes a Java program in the same way as a stack trace \
                      in a log, and verifies it twice in plain JVMs. Takes 20 seconds unless `time` says \
                      otherwise. Gives the test, the frame and degree to which it agrees with the log, \
                      doubts about it, and the command to run it; or the obstacles, missing classes, \
                      signatures and guards to go on with by hand. Writes the test only if `out` is given, \
                      and replaces nothing without `force`.",
        input_schema: schema("reproduce"),
        output_schema: schemas::reproduce(),
        is_read_only: false,
        is_long: true,
    };
    vec![
        tool,
        Tool {
            name: "explain",
            title: "Explain a Java stack trace",
            description: "Shows what a stack trace points at in a program, frame by frame: which methods and \
                          lines exist on the class path, which frames a test can aim at and through which \
                          methods, where the exception is caught, which classes or versions are missing. \
                          Runs nothing of the program and takes about a second.",
            input_schema: schema("explain"),
            output_schema: schemas::explain(),
            is_read_only: true,
            is_long: false,
        },
        Tool {
            name: "list",
            title: "List the crashes of a log",
            description: "Lists the distinct crashes of a log with counts and times, those of the project \
                          first. Their numbers are the input `crash` of the other tools. The class path may \
                          be left out.",
            input_schema: schema("list"),
            output_schema: schemas::list_of_crashes(),
            is_read_only: true,
            is_long: false,
        },
        Tool {
            name: "doctor",
            title: "Examine the machine",
            description: "Checks that this machine has everything that Crashback needs (JDK with compiler, \
                          kernel features of the sandbox, memory, Maven), with advice for each problem, and \
                          runs a self-test. Takes a few seconds.",
            input_schema: schema("doctor"),
            output_schema: schemas::doctor(),
            is_read_only: true,
            is_long: false,
        },
    ]
}
