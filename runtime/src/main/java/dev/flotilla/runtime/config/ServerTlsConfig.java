package dev.flotilla.runtime.config;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a server, and authentication of its clients by certificate.
 *
 * @param clientCaFile the CAs whose client certificates are accepted instead of a token; null if client certificates are not accepted
 */
public record ServerTlsConfig(
        Path certFile, Path keyFile, @Nullable Path clientCaFile) {
    public static final JsonCodec<ServerTlsConfig> CODEC = codec();

    private static JsonCodec<ServerTlsConfig> codec() {
        var tls = JsonObjectCodec.<ServerTlsConfig>of(
                "tls", "TLS of the server, and authentication of clients by certificate.");
        var cert = tls.required(
                "certFile",
                ConfigCodecs.FILE,
                "The server's certificate with its chain, PEM. Like the other files, it is read again when it is replaced.",
                ServerTlsConfig::certFile);
        var key = tls.required(
                "keyFile", ConfigCodecs.FILE, "The certificate's key, PEM (PKCS 8).", ServerTlsConfig::keyFile);
        var ca = tls.optional(
                "clientCaFile",
                ConfigCodecs.FILE,
                "CA certificates, PEM. Clients with a certificate that one of these has signed need no token: use a CA that"
                        + " signs nothing else.",
                ServerTlsConfig::clientCaFile);
        return tls.build(v -> new ServerTlsConfig(v.get(cert), v.get(key), v.get(ca)));
    }
}
