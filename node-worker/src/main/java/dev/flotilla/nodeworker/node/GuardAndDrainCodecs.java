package dev.flotilla.nodeworker.node;

import dev.flotilla.nodeworker.management.GuardAnnotationPolicy;
import dev.flotilla.nodeworker.workload.DrainPolicy;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.DrainMode;
import java.time.Duration;

/** How the policies for a machine's handling are read. */
final class GuardAndDrainCodecs {
    static final JsonCodec<GuardAnnotationPolicy> GUARDS = guards();
    static final JsonCodec<DrainPolicy> DRAIN = drain();

    private GuardAndDrainCodecs() {}

    private static JsonCodec<GuardAnnotationPolicy> guards() {
        var it = JsonObjectCodec.<GuardAnnotationPolicy>of(
                "guards", "What keeps controllers off a machine while it is upgraded.");
        var remediation = it.defaulted(
                "skipRemediation",
                ScalarCodecs.FLAG,
                GuardAnnotationPolicy.DEFAULT.skipRemediation(),
                "Health checks do not replace it.",
                GuardAnnotationPolicy::skipRemediation);
        var scaling = it.defaulted(
                "disableScaleDown",
                ScalarCodecs.FLAG,
                GuardAnnotationPolicy.DEFAULT.disableScaleDown(),
                "The autoscaler does not choose it.",
                GuardAnnotationPolicy::disableScaleDown);
        return it.build(v -> new GuardAnnotationPolicy(v.get(remediation), v.get(scaling)));
    }

    private static JsonCodec<DrainPolicy> drain() {
        var it = JsonObjectCodec.<DrainPolicy>of("drain", "How a node is emptied before its upgrade.");
        var mode = it.defaulted(
                "mode",
                EnumCodec.of(DrainMode.class, DrainMode::label),
                DrainPolicy.NEVER.mode(),
                "Whether it is: auto does it where there is another node that takes pods.",
                DrainPolicy::mode);
        var timeout = it.defaulted(
                "timeout",
                ScalarCodecs.duration(Duration.ofSeconds(1), Duration.ofHours(2)),
                DrainPolicy.NEVER.timeout(),
                "How long it may take, within what the command leaves.",
                DrainPolicy::timeout);
        var grace = it.optional(
                "grace",
                ScalarCodecs.duration(Duration.ZERO, Duration.ofHours(1)),
                "What each pod is given to end; without it, what it asks for.",
                DrainPolicy::grace);
        var pause = it.defaulted(
                "pause",
                ScalarCodecs.duration(Duration.ofSeconds(1), Duration.ofMinutes(1)),
                DrainPolicy.NEVER.pause(),
                "Between two tries.",
                DrainPolicy::pause);
        return it.build(v -> new DrainPolicy(v.get(mode), v.get(timeout), v.get(grace), v.get(pause)));
    }
}
