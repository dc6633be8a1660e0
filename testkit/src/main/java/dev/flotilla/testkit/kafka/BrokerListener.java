package dev.flotilla.testkit.kafka;

import java.util.Locale;

/** A listener of a broker for clients, by its protocol. */
public enum BrokerListener {
    PLAINTEXT("PLAINTEXT", "none"),
    /** The broker presents a certificate; the client is anonymous. */
    TLS("SSL", "none"),
    /** Both present a certificate; the client's name is the common name in its certificate. */
    MUTUAL_TLS("SSL", "required"),
    /** SASL over TLS with SCRAM-SHA-512; the client's name is its user name. */
    SCRAM("SASL_SSL", "none");

    private final String protocol;
    private final String clientCertificate;

    BrokerListener(String protocol, String clientCertificate) {
        this.protocol = protocol;
        this.clientCertificate = clientCertificate;
    }

    /** The client property {@code security.protocol}. */
    public String protocol() {
        return protocol;
    }

    String clientCertificate() {
        return clientCertificate;
    }

    boolean isEncrypted() {
        return this != PLAINTEXT;
    }

    /** The prefix of the broker's properties for this listener. */
    String prefix() {
        return "listener.name." + name().toLowerCase(Locale.ROOT) + ".";
    }
}
