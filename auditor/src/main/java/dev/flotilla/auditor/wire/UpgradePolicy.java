package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of the fleet or a site, as written or as accepted. */
public record UpgradePolicy(
        String scope,
        @Nullable CountOrPercent inFlight,
        @Nullable CountOrPercent siteInFlight,
        boolean frozen,
        @Nullable Long lostAttemptTimeout,
        @Nullable IntentRule intents,
        @Nullable String timeZone,
        List<MaintenanceWindow> windows,
        @Nullable Long estimate,
        @Nullable Long downloadMegabytes,
        @Nullable Long linkMegabits,
        @Nullable String classLabel,
        List<ProviderRule> providers,
        @Nullable CountOrPercent prefetch,
        @Nullable CountOrPercent sitePrefetch)
        implements TableRow {
    /** What upgrades the machines that the rule selects. */
    public record ProviderRule(List<String> sites, LabelSelector machines, UpgradeProvider provider) {
        static ProviderRule read(JsonFieldReader rule) {
            return new ProviderRule(
                    rule.texts("sites"), LabelSelector.read(rule.child("machines")), UpgradeProvider.read(rule));
        }

        public boolean selects(MachineRow machine) {
            return (sites.isEmpty() || sites.contains(machine.site())) && machines.matches(machine.labels());
        }
    }

    /** The rules for intents. */
    public record IntentRule(
            CountOrPercent maxUnavailable,
            List<String> localPaths,
            @Nullable CountOrPercent inFlight,
            @Nullable CountOrPercent clusterInFlight,
            long clusterSoak,
            List<MaintenanceWindow> windows,
            boolean allowDowngrade,
            boolean allowUnknownVersion,
            List<String> targets) {
        public static final IntentRule DEFAULT =
                new IntentRule(CountOrPercent.ONE, List.of(), null, null, 0, List.of(), false, false, List.of());

        static IntentRule read(JsonFieldReader intents) {
            Long settle = intents.durationOrNull("clusterSoak");
            return new IntentRule(
                    CountOrPercent.readOr(intents, "maxUnavailable", CountOrPercent.ONE),
                    intents.texts("localPaths"),
                    CountOrPercent.read(intents, "inFlight"),
                    CountOrPercent.read(intents, "clusterInFlight"),
                    settle == null ? 0 : settle,
                    MaintenanceWindow.readAll(intents),
                    intents.bool("allowDowngrade"),
                    intents.bool("allowUnknownVersion"),
                    intents.texts("targets"));
        }
    }

    static UpgradePolicy read(JsonFieldReader row) {
        JsonFieldReader spec = row.child("spec");
        JsonFieldReader caps = spec.child("caps");
        return new UpgradePolicy(
                row.child("metadata").text("name"),
                CountOrPercent.read(caps, "inFlight"),
                CountOrPercent.read(caps, "siteInFlight"),
                spec.child("freeze").bool("frozen"),
                spec.child("attempts").durationOrNull("lostAfter"),
                spec.has("intents") ? IntentRule.read(spec.child("intents")) : null,
                spec.child("calendar").textOr("timeZone", null),
                MaintenanceWindow.readAll(spec.child("calendar")),
                spec.child("calendar").durationOrNull("estimate"),
                spec.child("calendar").numberOrNull("downloadMegabytes"),
                spec.child("calendar").numberOrNull("linkMegabits"),
                spec.child("attempts").textOr("classLabel", null),
                spec.items("providers").stream()
                        .map(item -> ProviderRule.read(JsonFieldReader.of(item)))
                        .toList(),
                CountOrPercent.read(caps, "prefetch"),
                CountOrPercent.read(caps, "sitePrefetch"));
    }
}
