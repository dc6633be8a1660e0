package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of the fleet or a site, as written or as accepted. */
public record PolicyRow(
        String scope,
        @Nullable Limit inFlight,
        @Nullable Limit siteInFlight,
        boolean frozen,
        @Nullable Long lostAfter,
        @Nullable IntentRule intents,
        @Nullable String timeZone,
        List<Window> windows,
        @Nullable Long estimate,
        @Nullable Long downloadMegabytes,
        @Nullable Long linkMegabits,
        @Nullable String classLabel)
        implements Row {
    /** How annotations are followed. */
    public record IntentRule(
            Limit maxUnavailable,
            List<String> localPaths,
            @Nullable Limit inFlight,
            @Nullable Limit clusterInFlight,
            long settle,
            List<Window> windows,
            boolean allowDowngrade,
            boolean allowUnknownVersion,
            List<String> targets) {
        public static final IntentRule DEFAULT =
                new IntentRule(Limit.ONE, List.of(), null, null, 0, List.of(), false, false, List.of());

        static IntentRule read(Fields intents) {
            Long settle = intents.durationOrNull("settle");
            return new IntentRule(
                    Limit.readOr(intents, "maxUnavailable", Limit.ONE),
                    intents.texts("localPaths"),
                    Limit.read(intents, "inFlight"),
                    Limit.read(intents, "clusterInFlight"),
                    settle == null ? 0 : settle,
                    Window.readAll(intents),
                    intents.flag("allowDowngrade"),
                    intents.flag("allowUnknownVersion"),
                    intents.texts("targets"));
        }
    }

    static PolicyRow read(Fields row) {
        Fields spec = row.in("spec");
        Fields caps = spec.in("caps");
        return new PolicyRow(
                row.in("metadata").text("name"),
                Limit.read(caps, "inFlight"),
                Limit.read(caps, "siteInFlight"),
                spec.in("freeze").flag("frozen"),
                spec.in("attempts").durationOrNull("lostAfter"),
                spec.has("intents") ? IntentRule.read(spec.in("intents")) : null,
                spec.in("calendar").textOr("timeZone", null),
                Window.readAll(spec.in("calendar")),
                spec.in("calendar").durationOrNull("estimate"),
                spec.in("calendar").numberOrNull("downloadMegabytes"),
                spec.in("calendar").numberOrNull("linkMegabits"),
                spec.in("attempts").textOr("classLabel", null));
    }
}
