@Deprecated
open module odd.one {
    requires transitive java.logging;
    requires static java.sql;
    exports odd;
    exports odd.more to java.logging, java.sql;
    uses Runnable;
    provides Runnable with odd.more.Job;
}
