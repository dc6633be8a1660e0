package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import dev.flotilla.auditor.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a campaign is to do, with what it leaves out filled in as the documentation says. */
public record Spec(
        String target,
        @Nullable String expectedVersion,
        Selection select,
        List<Wave> waves,
        @Nullable Limit inFlight,
        @Nullable Limit clusterInFlight,
        Limit maxUnavailable,
        boolean controlPlaneFirst,
        @Nullable Budget budget,
        @Nullable Long startAt,
        @Nullable Long deadline,
        long priority,
        long settle,
        List<Dependency> dependsOn,
        List<Window> windows,
        @Nullable CohortRule cohorts,
        List<DomainCap> domains,
        boolean allowDowngrade,
        boolean strict) {
    private static final long USUAL_PRIORITY = 50;
    private static final long ALL_SUCCEED = 100;

    /** Which machines it is about. */
    public record Selection(
            List<String> sites,
            Selector clusters,
            Selector machines,
            List<String> roles,
            List<String> currentRelease,
            List<String> exclude) {
        static Selection read(Fields select) {
            return new Selection(
                    select.texts("sites"),
                    Selector.read(select.in("clusters")),
                    Selector.read(select.in("machines")),
                    select.texts("roles"),
                    select.texts("currentRelease"),
                    select.texts("exclude"));
        }
    }

    /**
     * A part of it.
     *
     * @param percent how many of a hundred of the clusters it takes; null where it does not say so
     * @param count how many machines it takes at most; null where it does not say so
     * @param approval none, before or after
     * @param soak how many milliseconds after its last success it is done with at the earliest
     */
    public record Wave(
            String name,
            List<String> sites,
            Selector clusters,
            @Nullable Long percent,
            @Nullable Long count,
            String approval,
            long successPercent,
            long soak) {
        static Wave read(Fields wave) {
            return new Wave(
                    wave.text("name"),
                    wave.texts("sites"),
                    Selector.read(wave.in("clusters")),
                    wave.has("percent") ? (Long) wave.number("percent") : null,
                    wave.has("count") ? (Long) wave.number("count") : null,
                    wave.text("approval", "none"),
                    wave.numberOr("successPercent", ALL_SUCCEED),
                    zeroIfNull(wave.durationOrNull("soak")));
        }

        public boolean takesAll() {
            return percent == null && count == null;
        }
    }

    /** Another campaign, and how many of a hundred of its machines must have succeeded. */
    public record Dependency(String campaign, long successPercent) {
        static Dependency read(Fields dependency) {
            return new Dependency(dependency.text("campaign"), dependency.numberOr("successPercent", ALL_SUCCEED));
        }
    }

    /** How many of its machines may be in flight of those that share a value of a label. */
    public record DomainCap(String label, Limit inFlight) {
        static DomainCap read(Fields cap) {
            return new DomainCap(cap.text("label"), Limit.readOr(cap, "inFlight", Limit.ONE));
        }
    }

    private static long zeroIfNull(@Nullable Long value) {
        return value == null ? 0 : value;
    }

    /** The same but for when it is done and how urgent it is. */
    public Spec work() {
        return new Spec(
                target,
                expectedVersion,
                select,
                waves,
                inFlight,
                clusterInFlight,
                maxUnavailable,
                controlPlaneFirst,
                budget,
                null,
                null,
                0,
                settle,
                dependsOn,
                windows,
                cohorts,
                domains,
                allowDowngrade,
                strict);
    }

    static Spec read(Fields spec) {
        Fields cluster = spec.in("cluster");
        Fields target = spec.in("target");
        return new Spec(
                target.text("option"),
                target.textOr("expectedVersion", null),
                Selection.read(spec.in("select")),
                waves(spec.items("waves")),
                Limit.read(spec.in("caps"), "inFlight"),
                Limit.read(cluster, "inFlight"),
                Limit.readOr(cluster, "maxUnavailable", Limit.ONE),
                cluster.flagOr("controlPlaneFirst", true),
                Budget.read(spec),
                spec.instantOrNull("startAt"),
                spec.instantOrNull("deadline"),
                spec.numberOr("priority", USUAL_PRIORITY),
                zeroIfNull(cluster.durationOrNull("settle")),
                spec.items("dependsOn").stream()
                        .map(item -> Dependency.read(Fields.of(item)))
                        .toList(),
                Window.readAll(spec),
                CohortRule.read(spec),
                spec.in("caps").items("domains").stream()
                        .map(item -> DomainCap.read(Fields.of(item)))
                        .toList(),
                target.flagOr("allowDowngrade", false),
                cluster.flagOr("strict", false));
    }

    private static List<Wave> waves(List<Json> items) {
        List<Wave> waves = new ArrayList<>();
        for (Json item : items) {
            waves.add(Wave.read(Fields.of(item)));
        }
        if (waves.isEmpty()) {
            waves.add(Wave.read(new Fields(new Json.Obj(java.util.Map.of("name", new Json.Text("all"))))));
        }
        return waves;
    }
}
