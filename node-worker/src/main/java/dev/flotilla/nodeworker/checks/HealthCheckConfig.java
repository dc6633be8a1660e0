package dev.flotilla.nodeworker.checks;

import dev.flotilla.runtime.config.ConfigCodecs;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Servers that health checks may use in a site.
 *
 * @param allowed servers that an HTTP check may use
 * @param prometheus server of PromQL checks; null for none
 * @param tokenFile file with the bearer token for Prometheus
 * @param caFile certificate authorities of the servers, PEM; null for those that the JVM trusts
 */
public record HealthCheckConfig(
        List<HttpOrigin> allowed,
        @Nullable URI prometheus,
        @Nullable Path tokenFile,
        @Nullable Path caFile) {
    private static final int LONGEST = 4_096;

    public static final HealthCheckConfig NONE = new HealthCheckConfig(List.of(), null, null, null);
    public static final JsonCodec<HealthCheckConfig> CODEC = codec();

    public HealthCheckConfig {
        allowed = List.copyOf(allowed);
    }

    private static JsonCodec<HealthCheckConfig> codec() {
        var it = JsonObjectCodec.<HealthCheckConfig>of(
                "checks", "Servers that health checks of campaigns may use in this site.");
        var allowed = it.optional(
                "allowed",
                ScalarCodecs.parsed(
                        "servers, separated by commas",
                        LONGEST,
                        HealthCheckConfig::problemOfServers,
                        text -> texts(text).map(HttpOrigin::parse).toList(),
                        origins -> origins.stream().map(HttpOrigin::toString).collect(Collectors.joining(","))),
                "Servers that a check over HTTP may ask, each as <scheme>://<host>:<port>, separated by commas."
                        + " Without any, every HTTP check fails.",
                config -> config.allowed().isEmpty() ? null : config.allowed());
        var prometheus = it.optional(
                "prometheus",
                ScalarCodecs.parsed("a URL", LONGEST, HealthCheckConfig::problemOfUrl, URI::create, URI::toString),
                "The site's Prometheus, such as https://prometheus.example:9090; before /api/v1/query. Without it no"
                        + " check by PromQL holds.",
                HealthCheckConfig::prometheus);
        var token = it.optional(
                "prometheusTokenFile",
                ConfigCodecs.FILE,
                "File with the bearer token for Prometheus, on one line. It is read for each query.",
                HealthCheckConfig::tokenFile);
        var ca = it.optional(
                "caFile",
                ConfigCodecs.FILE,
                "Certificate authorities of these servers, PEM; without it, those that the JVM trusts.",
                HealthCheckConfig::caFile);
        return it.build(v -> {
            List<HttpOrigin> origins = v.get(allowed);
            return new HealthCheckConfig(
                    origins == null ? List.of() : origins, v.get(prometheus), v.get(token), v.get(ca));
        });
    }

    private static Stream<String> texts(String all) {
        return Stream.of(all.split(",", -1)).map(String::strip);
    }

    private static @Nullable String problemOfServers(String text) {
        for (String each : texts(text).toList()) {
            String problem = HttpOrigin.problemOf(each);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private static @Nullable String problemOfUrl(String text) {
        int path = text.indexOf('/', text.indexOf("//") + 2);
        return text.indexOf('?') >= 0
                ? "must have no query"
                : HttpOrigin.problemOf(path < 0 ? text : text.substring(0, path));
    }
}
