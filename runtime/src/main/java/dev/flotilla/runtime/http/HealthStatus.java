package dev.flotilla.runtime.http;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.util.List;

/**
 * The health of a process and its components. It is cheap to read, because it is never computed on demand.
 *
 * @param healthy the result of a probe
 * @param status the state as one word, such as {@code leader}
 */
public record HealthStatus(boolean healthy, String status, List<ComponentHealth> parts) {
    private static final int MAX_PARTS = 1_000;

    public static final JsonCodec<HealthStatus> CODEC = codec();

    /** The health of a process that its management cluster does not authenticate. */
    public static final HealthStatus LOCKED_OUT = new HealthStatus(
            false,
            "locked-out",
            List.of(new ComponentHealth(
                    "management-cluster",
                    false,
                    "answers 401 for more than a minute: renew the kubeconfig or the token")));

    /** The health of one component of a process. */
    public record ComponentHealth(String name, boolean healthy, String message) {
        static final JsonObjectCodec<ComponentHealth> CODEC = codec();

        private static JsonObjectCodec<ComponentHealth> codec() {
            var part = JsonObjectCodec.<ComponentHealth>of("component-health", "A component of the process.");
            var name = part.required("name", ScalarCodecs.TOKEN, "The component's name.", ComponentHealth::name);
            var good = part.required("healthy", ScalarCodecs.FLAG, "Whether it is healthy.", ComponentHealth::healthy);
            var says = part.required(
                    "message", ScalarCodecs.text(0, 4_096), "Details of its state.", ComponentHealth::message);
            return part.build(v -> new ComponentHealth(v.get(name), v.get(good), v.get(says)));
        }
    }

    public HealthStatus {
        parts = List.copyOf(parts);
    }

    /** A healthy process without components. */
    public static HealthStatus healthy(String status) {
        return new HealthStatus(true, status, List.of());
    }

    private static JsonCodec<HealthStatus> codec() {
        var health = JsonObjectCodec.<HealthStatus>of("health", "The health of the process.");
        var good = health.required(
                "healthy",
                ScalarCodecs.FLAG,
                "Whether the process is healthy; if not, the response has status 503.",
                HealthStatus::healthy);
        var status = health.required("status", ScalarCodecs.TOKEN, "The state as one word.", HealthStatus::status);
        var parts = health.required(
                "components",
                new ListCodec<>(ComponentHealth.CODEC, MAX_PARTS),
                "Its components, unhealthy ones first.",
                HealthStatus::parts);
        return health.build(v -> new HealthStatus(v.get(good), v.get(status), v.get(parts)));
    }
}
