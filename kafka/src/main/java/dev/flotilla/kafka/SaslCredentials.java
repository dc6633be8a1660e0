package dev.flotilla.kafka;

import org.apache.kafka.common.config.types.Password;

/**
 * User name and password for a broker. The JAAS line is built here and never taken from a configuration: such a line names a class to
 * load, and some classes open connections (CVE-2025-27817 and similar).
 */
record SaslCredentials(String mechanism, String user, Password password) {

    /** Returns the value of the client property {@code sasl.jaas.config}. */
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
