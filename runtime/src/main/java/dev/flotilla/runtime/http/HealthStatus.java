package dev.flotilla.runtime.http;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.util.List;

/**
 * Whether a process, or a part of it, is as it should be. Cheap to ask: it is read, never found out.
 *
 * @param healthy what a probe goes by
 * @param status a word, such as {@code leader}
 */
public record HealthStatus(boolean healthy, String status, List<ComponentHealth> parts) {
    private static final int MAX_PARTS = 1_000;

    public static final JsonCodec<HealthStatus> CODEC = codec();

    /** Of a process whose management cluster does not let it in. */
    public static final HealthStatus LOCKED_OUT = new HealthStatus(
            false,
            "locked-out",
            List.of(new ComponentHealth(
                    "management-cluster",
                    false,
                    "answers 401 for more than a minute: renew the kubeconfig or the token")));

    /** A part, and what it says for itself. */
    public record ComponentHealth(String name, boolean healthy, String message) {
        static final JsonObjectCodec<ComponentHealth> CODEC = codec();

        private static JsonObjectCodec<ComponentHealth> codec() {
            var part = JsonObjectCodec.<ComponentHealth>of("health-part", "A part of the process.");
            var name = part.required("name", ScalarCodecs.TOKEN, "Which part.", ComponentHealth::name);
            var good = part.required(
                    "good", ScalarCodecs.FLAG, "Whether it is as it should be.", ComponentHealth::healthy);
            var says = part.required(
                    "says", ScalarCodecs.text(0, 4_096), "What it says for itself.", ComponentHealth::message);
            return part.build(v -> new ComponentHealth(v.get(name), v.get(good), v.get(says)));
        }
    }

    public HealthStatus {
        parts = List.copyOf(parts);
    }

    /** All is well, and there is no more to say. */
    public static HealthStatus healthy(String status) {
        return new HealthStatus(true, status, List.of());
    }

    private static JsonCodec<HealthStatus> codec() {
        var health = JsonObjectCodec.<HealthStatus>of("health", "Whether the process is as it should be.");
        var good = health.required(
                "good", ScalarCodecs.FLAG, "What a probe goes by; false is status 503.", HealthStatus::healthy);
        var status = health.required("status", ScalarCodecs.TOKEN, "A word for how it stands.", HealthStatus::status);
        var parts = health.required(
                "parts",
                new ListCodec<>(ComponentHealth.CODEC, MAX_PARTS),
                "Its parts, those that are not well first.",
                HealthStatus::parts);
        return health.build(v -> new HealthStatus(v.get(good), v.get(status), v.get(parts)));
    }
}
