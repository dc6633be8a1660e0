package dev.flotilla.campaigncontroller.counts;

import dev.flotilla.runtime.config.ConfigCodecs;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The API of an orchestrator.
 *
 * @param url its URL
 * @param tokenFile file with the token of its API; null for none
 * @param caFile certificate authorities of its server, PEM; null for those that the JVM trusts
 */
public record OrchestratorApiConfig(
        URI url, @Nullable Path tokenFile, @Nullable Path caFile) {
    public static final JsonCodec<OrchestratorApiConfig> CODEC = codec();

    private static JsonCodec<OrchestratorApiConfig> codec() {
        var it = JsonObjectCodec.<OrchestratorApiConfig>of("orchestrator", "The API of an orchestrator.");
        var url = it.required(
                "url",
                ConfigCodecs.SERVER_URL,
                "URL of an orchestrator or of the Service before all of them, such as https://flotilla-orchestrator.flotilla.svc."
                        + " It must be https, except on the loopback.",
                OrchestratorApiConfig::url);
        var token = it.optional(
                "tokenFile",
                ConfigCodecs.FILE,
                "File with the token of its API. It is read for each request.",
                OrchestratorApiConfig::tokenFile);
        var ca = it.optional(
                "caFile",
                ConfigCodecs.FILE,
                "Certificate authorities of its server, PEM; without it, those that the JVM trusts.",
                OrchestratorApiConfig::caFile);
        return it.build(v -> new OrchestratorApiConfig(v.get(url), v.get(token), v.get(ca)));
    }

    String campaignsUrl() {
        return url.toString().replaceFirst("/+$", "") + "/api/v1/campaigns";
    }
}
