package dev.flotilla.tracing;

import dev.flotilla.runtime.config.ConfigCodecs;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a process exports the spans of attempts.
 *
 * @param endpoint URL of the collector
 * @param headersFile file with headers of the requests, such as a token; null for none
 * @param caFile certificate authorities of the collector, PEM; null for those that the JVM trusts
 */
public record TracingConfig(
        URI endpoint, @Nullable Path headersFile, @Nullable Path caFile) {
    public static final JsonCodec<TracingConfig> CODEC = codec();

    /** What a process says about its setting, in its reference page. */
    public static final String DESCRIPTION = "Export of the traces of attempts by OTLP. Without it there is none.";

    private static final String TRACES_PATH = "/v1/traces";

    /** The configuration of the demo and of tests: an option with a URL, null for no export. */
    public static @Nullable TracingConfig ofOption(@Nullable String url) {
        return url == null ? null : new TracingConfig(URI.create(url), null, null);
    }

    private static JsonCodec<TracingConfig> codec() {
        var it = JsonObjectCodec.<TracingConfig>of("tracing", "Export of the traces of attempts by OTLP over HTTP.");
        var endpoint = it.required(
                "endpoint",
                ConfigCodecs.SERVER_URL,
                "URL of an OpenTelemetry Collector's receiver for OTLP over HTTP, such as https://collector.example:4318."
                        + " Without a path, it is " + TRACES_PATH + ". It must be https, except on the loopback.",
                TracingConfig::endpoint);
        var headers = it.optional(
                "headersFile",
                ConfigCodecs.FILE,
                "File with headers of the requests, each on a line as Name: value, such as Authorization with a token. It is"
                        + " read for each request.",
                TracingConfig::headersFile);
        var ca = it.optional(
                "caFile",
                ConfigCodecs.FILE,
                "Certificate authorities of the collector, PEM; without it, those that the JVM trusts.",
                TracingConfig::caFile);
        return it.build(v -> new TracingConfig(v.get(endpoint), v.get(headers), v.get(ca)));
    }

    /** The URL to which requests are sent. */
    String requestUrl() {
        String path = endpoint.getRawPath();
        return path == null || path.isEmpty() || path.equals("/")
                ? endpoint.toString().replaceFirst("/$", "") + TRACES_PATH
                : endpoint.toString();
    }
}
