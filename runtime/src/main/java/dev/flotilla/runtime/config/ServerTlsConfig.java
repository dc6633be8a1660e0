package dev.flotilla.runtime.config;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a server proves who it is, and how its clients do.
 *
 * @param clientCaFile whoever shows a certificate that one of these signed may ask; null where certificates prove nothing
 */
public record ServerTlsConfig(
        Path certFile, Path keyFile, @Nullable Path clientCaFile) {
    static final JsonCodec<ServerTlsConfig> CODEC = codec();

    private static JsonCodec<ServerTlsConfig> codec() {
        var tls =
                JsonObjectCodec.<ServerTlsConfig>of("tls", "How the server proves who it is, and how its clients do.");
        var cert = tls.required(
                "certFile",
                ConfigCodecs.FILE,
                "The server's certificate and its chain, PEM. Like the other files, read again when it was replaced.",
                ServerTlsConfig::certFile);
        var key = tls.required(
                "keyFile", ConfigCodecs.FILE, "The certificate's key, PEM (PKCS 8).", ServerTlsConfig::keyFile);
        var ca = tls.optional(
                "clientCaFile",
                ConfigCodecs.FILE,
                "Clients with any certificate that one of these (PEM) has signed may ask without a token: use an"
                        + " authority that signs for nothing else.",
                ServerTlsConfig::clientCaFile);
        return tls.build(v -> new ServerTlsConfig(v.get(cert), v.get(key), v.get(ca)));
    }
}
