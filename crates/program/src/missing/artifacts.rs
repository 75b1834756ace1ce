//! Which published artifact well-known packages belong to.

/// The coordinates of an artifact that has a class, by the longest known beginning of its name; the
/// class is named with dots.
pub(super) fn coordinates(class: &str) -> Option<&'static str> {
    let is_prefix = |prefix: &str| class.strip_prefix(prefix).is_some_and(|it| it.starts_with('.'));
    let known = ARTIFACTS.iter().filter(|(prefix, _)| is_prefix(prefix));
    known.max_by_key(|(prefix, _)| prefix.len()).map(|(_, coordinates)| *coordinates)
}

/// Packages, and an artifact in a version that old and new programs get on with.
const ARTIFACTS: &[(&str, &str)] = &[
    // Artifacts that containers provide, or that older JDKs had.
    ("javax.activation", "com.sun.activation:javax.activation:1.2.0"),
    ("javax.annotation", "javax.annotation:javax.annotation-api:1.3.2"),
    ("javax.cache", "javax.cache:cache-api:1.1.1"),
    ("javax.ejb", "javax.ejb:javax.ejb-api:3.2.2"),
    ("javax.el", "javax.el:javax.el-api:3.0.0"),
    ("javax.enterprise", "javax.enterprise:cdi-api:2.0"),
    ("javax.faces", "javax.faces:javax.faces-api:2.3"),
    ("javax.inject", "javax.inject:javax.inject:1"),
    ("javax.jcr", "javax.jcr:jcr:2.0"),
    ("javax.jms", "javax.jms:javax.jms-api:2.0.1"),
    ("javax.jws", "javax.jws:javax.jws-api:1.1"),
    ("javax.mail", "com.sun.mail:javax.mail:1.6.2"),
    ("javax.persistence", "javax.persistence:javax.persistence-api:2.2"),
    ("javax.portlet", "javax.portlet:portlet-api:3.0.1"),
    ("javax.servlet", "javax.servlet:javax.servlet-api:4.0.1"),
    ("javax.servlet.jsp", "javax.servlet.jsp:javax.servlet.jsp-api:2.3.3"),
    ("javax.transaction", "javax.transaction:javax.transaction-api:1.3"),
    ("javax.validation", "javax.validation:validation-api:2.0.1.Final"),
    ("javax.websocket", "javax.websocket:javax.websocket-api:1.1"),
    ("javax.ws.rs", "javax.ws.rs:javax.ws.rs-api:2.1.1"),
    ("javax.xml.bind", "javax.xml.bind:jaxb-api:2.3.1"),
    ("javax.xml.soap", "javax.xml.soap:javax.xml.soap-api:1.4.0"),
    ("javax.xml.ws", "javax.xml.ws:jaxws-api:2.3.1"),
    ("jakarta.activation", "jakarta.activation:jakarta.activation-api:2.1.3"),
    ("jakarta.annotation", "jakarta.annotation:jakarta.annotation-api:2.1.1"),
    ("jakarta.ejb", "jakarta.ejb:jakarta.ejb-api:4.0.1"),
    ("jakarta.enterprise", "jakarta.enterprise:jakarta.enterprise.cdi-api:4.0.1"),
    ("jakarta.inject", "jakarta.inject:jakarta.inject-api:2.0.1"),
    ("jakarta.jms", "jakarta.jms:jakarta.jms-api:3.1.0"),
    ("jakarta.mail", "jakarta.mail:jakarta.mail-api:2.1.3"),
    ("jakarta.persistence", "jakarta.persistence:jakarta.persistence-api:3.1.0"),
    ("jakarta.servlet", "jakarta.servlet:jakarta.servlet-api:6.0.0"),
    ("jakarta.transaction", "jakarta.transaction:jakarta.transaction-api:2.0.1"),
    ("jakarta.validation", "jakarta.validation:jakarta.validation-api:3.0.2"),
    ("jakarta.ws.rs", "jakarta.ws.rs:jakarta.ws.rs-api:3.1.0"),
    ("jakarta.xml.bind", "jakarta.xml.bind:jakarta.xml.bind-api:4.0.2"),
    // Artifacts that tests use.
    ("junit.framework", "junit:junit:4.13.2"),
    ("org.junit", "junit:junit:4.13.2"),
    ("org.junit.jupiter", "org.junit.jupiter:junit-jupiter:5.10.2"),
    ("org.hamcrest", "org.hamcrest:hamcrest:2.2"),
    ("org.mockito", "org.mockito:mockito-core:4.11.0"),
    ("org.objenesis", "org.objenesis:objenesis:3.3"),
    ("org.testng", "org.testng:testng:7.5.1"),
    ("net.bytebuddy", "net.bytebuddy:byte-buddy:1.14.18"),
    // Logging.
    ("ch.qos.logback.classic", "ch.qos.logback:logback-classic:1.2.13"),
    ("ch.qos.logback.core", "ch.qos.logback:logback-core:1.2.13"),
    ("org.apache.commons.logging", "commons-logging:commons-logging:1.2"),
    ("org.apache.log4j", "log4j:log4j:1.2.17"),
    ("org.apache.logging.log4j", "org.apache.logging.log4j:log4j-api:2.17.2"),
    ("org.apache.logging.log4j.core", "org.apache.logging.log4j:log4j-core:2.17.2"),
    ("org.jboss.logging", "org.jboss.logging:jboss-logging:3.5.3.Final"),
    ("org.slf4j", "org.slf4j:slf4j-api:1.7.36"),
    // Libraries.
    ("com.fasterxml.jackson.annotation", "com.fasterxml.jackson.core:jackson-annotations:2.15.4"),
    ("com.fasterxml.jackson.core", "com.fasterxml.jackson.core:jackson-core:2.15.4"),
    ("com.fasterxml.jackson.databind", "com.fasterxml.jackson.core:jackson-databind:2.15.4"),
    ("com.google.common", "com.google.guava:guava:31.1-jre"),
    ("com.google.gson", "com.google.code.gson:gson:2.10.1"),
    ("com.google.inject", "com.google.inject:guice:5.1.0"),
    ("com.google.protobuf", "com.google.protobuf:protobuf-java:3.25.3"),
    ("com.vividsolutions.jts", "com.vividsolutions:jts:1.13"),
    ("net.sf.cglib", "cglib:cglib:3.3.0"),
    ("org.apache.commons.beanutils", "commons-beanutils:commons-beanutils:1.9.4"),
    ("org.apache.commons.cli", "commons-cli:commons-cli:1.6.0"),
    ("org.apache.commons.codec", "commons-codec:commons-codec:1.16.0"),
    ("org.apache.commons.collections", "commons-collections:commons-collections:3.2.2"),
    ("org.apache.commons.collections4", "org.apache.commons:commons-collections4:4.4"),
    ("org.apache.commons.compress", "org.apache.commons:commons-compress:1.26.0"),
    ("org.apache.commons.configuration", "commons-configuration:commons-configuration:1.10"),
    ("org.apache.commons.csv", "org.apache.commons:commons-csv:1.10.0"),
    ("org.apache.commons.digester", "commons-digester:commons-digester:2.1"),
    ("org.apache.commons.exec", "org.apache.commons:commons-exec:1.4.0"),
    ("org.apache.commons.fileupload", "commons-fileupload:commons-fileupload:1.5"),
    ("org.apache.commons.httpclient", "commons-httpclient:commons-httpclient:3.1"),
    ("org.apache.commons.io", "commons-io:commons-io:2.15.1"),
    ("org.apache.commons.lang", "commons-lang:commons-lang:2.6"),
    ("org.apache.commons.lang3", "org.apache.commons:commons-lang3:3.14.0"),
    ("org.apache.commons.math", "org.apache.commons:commons-math:2.2"),
    ("org.apache.commons.math3", "org.apache.commons:commons-math3:3.6.1"),
    ("org.apache.commons.net", "commons-net:commons-net:3.10.0"),
    ("org.apache.commons.pool", "commons-pool:commons-pool:1.6"),
    ("org.apache.commons.pool2", "org.apache.commons:commons-pool2:2.12.0"),
    ("org.apache.commons.text", "org.apache.commons:commons-text:1.11.0"),
    ("org.apache.commons.validator", "commons-validator:commons-validator:1.8.0"),
    ("org.apache.http", "org.apache.httpcomponents:httpclient:4.5.14"),
    ("org.aspectj", "org.aspectj:aspectjrt:1.9.22"),
    ("org.bouncycastle", "org.bouncycastle:bcprov-jdk15on:1.70"),
    ("org.codehaus.jackson", "org.codehaus.jackson:jackson-mapper-asl:1.9.13"),
    ("org.dom4j", "dom4j:dom4j:1.6.1"),
    ("org.jdom", "org.jdom:jdom:1.1.3"),
    ("org.jdom2", "org.jdom:jdom2:2.0.6.1"),
    ("org.joda.convert", "org.joda:joda-convert:2.2.3"),
    ("org.joda.time", "joda-time:joda-time:2.12.7"),
    ("org.objectweb.asm", "org.ow2.asm:asm:9.7"),
    ("org.yaml.snakeyaml", "org.yaml:snakeyaml:1.33"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_package_counts_and_only_whole_names_do() {
        assert_eq!(coordinates("javax.servlet.Filter"), Some("javax.servlet:javax.servlet-api:4.0.1"));
        assert_eq!(
            coordinates("javax.servlet.jsp.JspWriter"),
            Some("javax.servlet.jsp:javax.servlet.jsp-api:2.3.3")
        );
        assert_eq!(
            coordinates("org.apache.commons.lang3.StringUtils"),
            Some("org.apache.commons:commons-lang3:3.14.0")
        );
        assert_eq!(coordinates("org.apache.commons.language.Words"), None);
    }

    #[test]
    fn every_package_is_named_once_and_every_artifact_completely() {
        for (place, (package, coordinates)) in ARTIFACTS.iter().enumerate() {
            assert!(ARTIFACTS[..place].iter().all(|(other, _)| other != package), "{package}");
            assert_eq!(coordinates.split(':').filter(|it| !it.is_empty()).count(), 3, "{coordinates}");
        }
    }
}
