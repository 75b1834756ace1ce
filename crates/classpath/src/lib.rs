//! Where a Java program lies: jars, directories, the JDK and Maven coordinates as one class source.
