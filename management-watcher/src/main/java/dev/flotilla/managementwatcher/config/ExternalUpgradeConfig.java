package dev.flotilla.managementwatcher.config;

import dev.flotilla.runtime.config.ConfigCodecs;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.ServerTlsConfig;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.RejectionReason;
import org.jspecify.annotations.Nullable;

/**
 * The listener for ExternalUpgradeRequests. Without TLS it must listen on the loopback: callers send tokens.
 *
 * @param tls null for a listener without TLS, on the loopback
 */
public record ExternalUpgradeConfig(
        HostPort listen, @Nullable ServerTlsConfig tls) {
    static final JsonCodec<ExternalUpgradeConfig> CODEC = codec();

    private static JsonCodec<ExternalUpgradeConfig> codec() {
        var server = JsonObjectCodec.<ExternalUpgradeConfig>of(
                "external-upgrade-requests", "The listener for ExternalUpgradeRequests.");
        var listen = server.required(
                "listen",
                ConfigCodecs.LISTEN,
                "The address that it listens on; port 0 is any free port. An address other than the loopback requires"
                        + " tls.",
                ExternalUpgradeConfig::listen);
        var tls = server.optional(
                "tls",
                ServerTlsConfig.CODEC,
                "TLS of the listener. Callers show a client certificate, whose common name is the user, or a token.",
                ExternalUpgradeConfig::tls);
        return server.build((v, at, problems) -> {
            ExternalUpgradeConfig read = new ExternalUpgradeConfig(v.get(listen), v.get(tls));
            if (read.tls() != null || read.listen().isLoopback()) {
                return read;
            }
            problems.add(
                    RejectionReason.CONTRADICTION,
                    new JsonValue.JsonString("", at.line()),
                    "listens on " + read.listen() + ", which other machines can reach, without tls",
                    "give tls.certFile and tls.keyFile, or listen on 127.0.0.1");
            return null;
        });
    }
}
