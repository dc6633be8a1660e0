package dev.flotilla.runtime.kafka;

import org.apache.kafka.common.config.types.Password;

/**
 * Who we are to a broker by name and password. The line for JAAS is built here and never taken from outside: a line
 * from outside names a class to load, and some of those open connections of their own (CVE-2025-27817 and its kin).
 */
record SaslCredentials(String mechanism, String user, Password password) {

    /** What Kafka's client wants as {@code sasl.jaas.config}. */
    Password jaas() {
        String module = mechanism.equals("PLAIN")
                ? "org.apache.kafka.common.security.plain.PlainLoginModule"
                : "org.apache.kafka.common.security.scram.ScramLoginModule";
        return new Password(module + " required username=\"" + escaped(user) + "\" password=\""
                + escaped(password.value()) + "\";");
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
