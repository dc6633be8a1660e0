package dev.flotilla.testkit.kafka;

import java.util.Locale;

/** A way for clients into a broker; each open one is a listener of that name. */
public enum BrokerListener {
    PLAINTEXT("PLAINTEXT", "none"),
    /** The broker shows a certificate, the client is anonymous. */
    TLS("SSL", "none"),
    /** Both show a certificate; the client is the common name of its own. */
    MUTUAL_TLS("SSL", "required"),
    /** SASL over TLS with SCRAM-SHA-512; the client is its user. */
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

    /** What a broker's properties for this listener begin with. */
    String prefix() {
        return "listener.name." + name().toLowerCase(Locale.ROOT) + ".";
    }
}
