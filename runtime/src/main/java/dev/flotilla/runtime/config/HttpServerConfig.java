package dev.flotilla.runtime.config;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.RejectionReason;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of an application's HTTP server. Without TLS and authentication it must listen on the loopback.
 *
 * @param tls null for a listener without TLS, on the loopback
 * @param tokenFile the file with the token that clients must send; null if no token is required
 */
public record HttpServerConfig(
        HostPort listen,
        @Nullable ServerTlsConfig tls,
        @Nullable Path tokenFile) {
    public static final HostPort DEFAULT_LISTEN = new HostPort("127.0.0.1", 0);

    public static final HttpServerConfig DEFAULT = new HttpServerConfig(DEFAULT_LISTEN, null, null);
    public static final JsonCodec<HttpServerConfig> CODEC = codec();

    private static JsonCodec<HttpServerConfig> codec() {
        var server =
                JsonObjectCodec.<HttpServerConfig>of("server", "The HTTP server for health, metrics and the read API.");
        var listen = server.defaulted(
                "listen",
                ConfigCodecs.LISTEN,
                DEFAULT_LISTEN,
                "The address that the server listens on; port 0 is any free port. An address other than the loopback"
                        + " requires tls and either tokenFile or tls.clientCaFile.",
                HttpServerConfig::listen);
        var tls = server.optional(
                "tls",
                ServerTlsConfig.CODEC,
                "TLS of the server, and authentication of clients by certificate.",
                HttpServerConfig::tls);
        var token = server.optional(
                "tokenFile",
                ConfigCodecs.FILE,
                "A file with the bearer token that clients must send, on one line, at least 16 characters. It is read"
                        + " again when it is replaced.",
                HttpServerConfig::tokenFile);
        return server.build((v, at, problems) ->
                checked(new HttpServerConfig(v.get(listen), v.get(tls), v.get(token)), at, problems));
    }

    private static @Nullable HttpServerConfig checked(
            HttpServerConfig config, JsonValue at, ProblemCollector problems) {
        if (config.listen.isLoopback()) {
            return config;
        }
        boolean good = true;
        if (config.tls == null) {
            contradiction(
                    at,
                    problems,
                    "listens on " + config.listen + ", which other machines can reach, without tls",
                    "give tls.certFile and tls.keyFile, or listen on 127.0.0.1");
            good = false;
        }
        if (config.tokenFile == null && (config.tls == null || config.tls.clientCaFile() == null)) {
            contradiction(
                    at,
                    problems,
                    "listens on " + config.listen + ", which other machines can reach, without authentication",
                    "give tokenFile or tls.clientCaFile, or listen on 127.0.0.1");
            good = false;
        }
        return good ? config : null;
    }

    private static void contradiction(JsonValue at, ProblemCollector problems, String problem, String hint) {
        problems.add(RejectionReason.CONTRADICTION, new JsonValue.JsonString("", at.line()), problem, hint);
    }
}
