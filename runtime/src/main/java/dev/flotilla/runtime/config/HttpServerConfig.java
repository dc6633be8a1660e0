package dev.flotilla.runtime.config;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.RejectionReason;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An application's HTTP server. Plain and open to all only where nobody but this machine gets there.
 *
 * @param tls null for a plain listener on the loopback
 * @param tokenFile holds the token that a client must show; null where none is asked for
 */
public record HttpServerConfig(
        HostPort listen,
        @Nullable ServerTlsConfig tls,
        @Nullable Path tokenFile) {
    public static final HostPort DEFAULT_LISTEN = new HostPort("127.0.0.1", 0);

    public static final HttpServerConfig DEFAULT = new HttpServerConfig(DEFAULT_LISTEN, null, null);
    public static final JsonCodec<HttpServerConfig> CODEC = codec();

    private static JsonCodec<HttpServerConfig> codec() {
        var server = JsonObjectCodec.<HttpServerConfig>of(
                "server", "The HTTP server: health, metrics and what can be asked.");
        var listen = server.defaulted(
                "listen",
                ConfigCodecs.LISTEN,
                DEFAULT_LISTEN,
                "Where the server listens; port 0 is any that is free. Anything but the loopback needs tls, and"
                        + " tokenFile or tls.clientCaFile.",
                HttpServerConfig::listen);
        var tls = server.optional(
                "tls",
                ServerTlsConfig.CODEC,
                "How the server proves who it is, and how its clients do.",
                HttpServerConfig::tls);
        var token = server.optional(
                "tokenFile",
                ConfigCodecs.FILE,
                "Holds the bearer token that clients must show, on one line, at least 16 characters. Read again"
                        + " when it was replaced.",
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
                    "listens on " + config.listen + ", where others get, without tls",
                    "give tls.certFile and tls.keyFile, or listen on 127.0.0.1");
            good = false;
        }
        if (config.tokenFile == null && (config.tls == null || config.tls.clientCaFile() == null)) {
            contradiction(
                    at,
                    problems,
                    "listens on " + config.listen + ", where others get, and lets everybody ask",
                    "give tokenFile or tls.clientCaFile, or listen on 127.0.0.1");
            good = false;
        }
        return good ? config : null;
    }

    private static void contradiction(JsonValue at, ProblemCollector problems, String problem, String hint) {
        problems.add(RejectionReason.CONTRADICTION, new JsonValue.JsonString("", at.line()), problem, hint);
    }
}
