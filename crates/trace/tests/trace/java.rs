//! The releases of Java that a trace can be from.

use crashback_trace::{java_releases, parse};

fn words(frames: &[&str]) -> Option<String> {
    let frames: String = frames.iter().map(|it| format!("\n\tat {it}")).collect();
    let log = parse(format!("java.lang.Error{frames}").as_bytes());
    java_releases(&log.crashes[0].outermost().unwrap().frames).map(|it| it.words())
}

#[test]
fn frames_tell_the_releases_that_have_them() {
    let old = "sun.reflect.NativeMethodAccessorImpl.invoke0(Native Method)";
    let middle = "java.base/jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)";
    let new = "java.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:103)";
    let exact = "java.base@11.0.2/java.lang.Thread.run(Thread.java:834)";
    assert_eq!(words(&[old]).as_deref(), Some("Java 8 or older"));
    assert_eq!(words(&[middle]).as_deref(), Some("Java 9 to 21"));
    assert_eq!(words(&[new]).as_deref(), Some("Java 18 or later"));
    assert_eq!(words(&["java.base/java.lang.Thread.run(Thread.java:1)"]).as_deref(), Some("Java 9 or later"));
    assert_eq!(words(&[middle, exact]).as_deref(), Some("Java 11"));
    assert_eq!(words(&["app.Main.main(Main.java:3)"]), None);
    assert_eq!(words(&[old, new]), None, "no Java has both");
}

#[test]
fn a_release_is_among_them_or_not() {
    let log = parse(b"java.lang.Error\n\tat sun.reflect.GeneratedMethodAccessor7.invoke(Unknown Source)");
    let releases = java_releases(&log.crashes[0].outermost().unwrap().frames).unwrap();
    assert!(releases.contains(8) && releases.contains(7) && !releases.contains(17));
    assert_eq!(releases.shown_by, "sun.reflect.GeneratedMethodAccessor7");
}
