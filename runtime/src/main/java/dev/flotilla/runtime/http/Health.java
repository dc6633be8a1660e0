package dev.flotilla.runtime.http;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.util.List;

/**
 * Whether a process, or a part of it, is as it should be. Cheap to ask: it is read, never found out.
 *
 * @param good what a probe goes by
 * @param status a word, such as {@code leader}
 */
public record Health(boolean good, String status, List<Part> parts) {
    private static final int MAX_PARTS = 1_000;

    public static final JsonCodec<Health> CODEC = codec();

    /** Of a process whose management cluster does not let it in. */
    public static final Health LOCKED_OUT = new Health(
            false,
            "locked-out",
            List.of(new Part(
                    "management-cluster",
                    false,
                    "answers 401 for more than a minute: renew the kubeconfig or the token")));

    /** A part, and what it says for itself. */
    public record Part(String name, boolean good, String says) {
        static final JsonObjectCodec<Part> CODEC = codec();

        private static JsonObjectCodec<Part> codec() {
            var part = JsonObjectCodec.<Part>of("health-part", "A part of the process.");
            var name = part.required("name", ScalarCodecs.TOKEN, "Which part.", Part::name);
            var good = part.required("good", ScalarCodecs.FLAG, "Whether it is as it should be.", Part::good);
            var says = part.required("says", ScalarCodecs.text(0, 4_096), "What it says for itself.", Part::says);
            return part.build(v -> new Part(v.get(name), v.get(good), v.get(says)));
        }
    }

    public Health {
        parts = List.copyOf(parts);
    }

    /** All is well, and there is no more to say. */
    public static Health good(String status) {
        return new Health(true, status, List.of());
    }

    private static JsonCodec<Health> codec() {
        var health = JsonObjectCodec.<Health>of("health", "Whether the process is as it should be.");
        var good = health.required("good", ScalarCodecs.FLAG, "What a probe goes by; false is status 503.", Health::good);
        var status = health.required("status", ScalarCodecs.TOKEN, "A word for how it stands.", Health::status);
        var parts = health.required(
                "parts",
                new ListCodec<>(Part.CODEC, MAX_PARTS),
                "Its parts, those that are not well first.",
                Health::parts);
        return health.build(v -> new Health(v.get(good), v.get(status), v.get(parts)));
    }
}
