package dev.flotilla.nodeworker.config;

import dev.flotilla.nodeworker.management.GuardAnnotationPolicy;
import dev.flotilla.nodeworker.workload.DrainPolicy;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.DrainMode;
import java.time.Duration;

/** Codecs of the guard and drain settings. */
final class GuardAndDrainCodecs {
    static final JsonCodec<GuardAnnotationPolicy> GUARDS = guards();
    static final JsonCodec<DrainPolicy> DRAIN = drain();

    private GuardAndDrainCodecs() {}

    private static JsonCodec<GuardAnnotationPolicy> guards() {
        var it = JsonObjectCodec.<GuardAnnotationPolicy>of(
                "guards", "Annotations that keep controllers away from a machine during its upgrade.");
        var remediation = it.defaulted(
                "skipRemediation",
                ScalarCodecs.FLAG,
                GuardAnnotationPolicy.DEFAULT.skipRemediation(),
                "Keep machine health checks from replacing the machine.",
                GuardAnnotationPolicy::skipRemediation);
        var scaling = it.defaulted(
                "disableScaleDown",
                ScalarCodecs.FLAG,
                GuardAnnotationPolicy.DEFAULT.disableScaleDown(),
                "Keep the autoscaler from removing the machine.",
                GuardAnnotationPolicy::disableScaleDown);
        return it.build(v -> new GuardAnnotationPolicy(v.get(remediation), v.get(scaling)));
    }

    private static JsonCodec<DrainPolicy> drain() {
        var it = JsonObjectCodec.<DrainPolicy>of("drain", "How a node is drained before its upgrade.");
        var mode = it.defaulted(
                "mode",
                EnumCodec.of(DrainMode.class, DrainMode::label),
                DrainPolicy.NEVER.mode(),
                "Whether nodes are drained. auto drains if there is another node that accepts pods.",
                DrainPolicy::mode);
        var timeout = it.defaulted(
                "timeout",
                ScalarCodecs.duration(Duration.ofSeconds(1), Duration.ofHours(2)),
                DrainPolicy.NEVER.timeout(),
                "Timeout of a drain; it also ends with the command lease.",
                DrainPolicy::timeout);
        var grace = it.optional(
                "grace",
                ScalarCodecs.duration(Duration.ZERO, Duration.ofHours(1)),
                "Grace period of each pod; without it, the pod's own.",
                DrainPolicy::grace);
        var pause = it.defaulted(
                "pause",
                ScalarCodecs.duration(Duration.ofSeconds(1), Duration.ofMinutes(1)),
                DrainPolicy.NEVER.pause(),
                "Pause between two tries.",
                DrainPolicy::pause);
        return it.build(v -> new DrainPolicy(v.get(mode), v.get(timeout), v.get(grace), v.get(pause)));
    }
}
