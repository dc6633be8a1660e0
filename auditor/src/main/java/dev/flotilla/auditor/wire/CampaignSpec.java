package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The specification of a campaign, with the documented defaults filled in. */
public record CampaignSpec(
        String target,
        @Nullable String expectedVersion,
        MachineSelection select,
        List<Wave> waves,
        @Nullable CountOrPercent inFlight,
        @Nullable CountOrPercent clusterInFlight,
        CountOrPercent maxUnavailable,
        boolean controlPlaneFirst,
        @Nullable FailureBudget budget,
        @Nullable Long startAt,
        @Nullable Long deadline,
        long priority,
        long clusterSoak,
        List<CampaignDependency> dependsOn,
        List<MaintenanceWindow> windows,
        @Nullable FailureCohortRule cohorts,
        List<TopologyDomainCap> domains,
        boolean allowDowngrade,
        boolean strict,
        @Nullable Long prepareBefore,
        boolean replacesUncovered) {
    private static final long USUAL_PRIORITY = 50;
    private static final long ALL_SUCCEED = 100;

    /** Which machines the campaign selects. */
    public record MachineSelection(
            List<String> sites,
            LabelSelector clusters,
            LabelSelector machines,
            List<String> roles,
            List<String> currentRelease,
            List<String> exclude,
            List<UpgradeProvider> providers) {
        static MachineSelection read(JsonFieldReader select) {
            return new MachineSelection(
                    select.texts("sites"),
                    LabelSelector.read(select.child("clusters")),
                    LabelSelector.read(select.child("machines")),
                    select.texts("roles"),
                    select.texts("currentRelease"),
                    select.texts("exclude"),
                    select.texts("providers").stream().map(UpgradeProvider::of).toList());
        }
    }

    /**
     * A wave.
     *
     * @param percent percentage of the clusters; null if not given
     * @param count largest number of machines; null if not given
     * @param approval none, before or after
     * @param soak milliseconds after its last success before it may close
     */
    public record Wave(
            String name,
            List<String> sites,
            LabelSelector clusters,
            @Nullable Long percent,
            @Nullable Long count,
            String approval,
            long successPercent,
            long soak) {
        static Wave read(JsonFieldReader wave) {
            return new Wave(
                    wave.text("name"),
                    wave.texts("sites"),
                    LabelSelector.read(wave.child("clusters")),
                    wave.has("percent") ? (Long) wave.number("percent") : null,
                    wave.has("count") ? (Long) wave.number("count") : null,
                    wave.text("approval", "none"),
                    wave.numberOr("successPercent", ALL_SUCCEED),
                    zeroIfNull(wave.durationOrNull("soak")));
        }

        public boolean selectsAllClusters() {
            return percent == null && count == null;
        }
    }

    /** Another campaign, and the percentage of its machines that must have succeeded. */
    public record CampaignDependency(String campaign, long successPercent) {
        static CampaignDependency read(JsonFieldReader dependency) {
            return new CampaignDependency(
                    dependency.text("campaign"), dependency.numberOr("successPercent", ALL_SUCCEED));
        }
    }

    /** The cap on machines in flight that share a value of a label. */
    public record TopologyDomainCap(String label, CountOrPercent inFlight) {
        static TopologyDomainCap read(JsonFieldReader cap) {
            return new TopologyDomainCap(cap.text("label"), CountOrPercent.readOr(cap, "inFlight", CountOrPercent.ONE));
        }
    }

    private static long zeroIfNull(@Nullable Long value) {
        return value == null ? 0 : value;
    }

    /** The same specification without its schedule and priority. */
    public CampaignSpec withoutSchedule() {
        return new CampaignSpec(
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
                clusterSoak,
                dependsOn,
                windows,
                cohorts,
                domains,
                allowDowngrade,
                strict,
                null,
                replacesUncovered);
    }

    static CampaignSpec read(JsonFieldReader spec) {
        JsonFieldReader cluster = spec.child("cluster");
        JsonFieldReader target = spec.child("target");
        return new CampaignSpec(
                target.text("option"),
                target.textOr("expectedVersion", null),
                MachineSelection.read(spec.child("select")),
                waves(spec.items("waves")),
                CountOrPercent.read(spec.child("caps"), "inFlight"),
                CountOrPercent.read(cluster, "inFlight"),
                CountOrPercent.readOr(cluster, "maxUnavailable", CountOrPercent.ONE),
                cluster.boolOr("controlPlaneFirst", true),
                FailureBudget.read(spec),
                spec.instantOrNull("startAt"),
                spec.instantOrNull("deadline"),
                spec.numberOr("priority", USUAL_PRIORITY),
                zeroIfNull(cluster.durationOrNull("soak")),
                spec.items("dependsOn").stream()
                        .map(item -> CampaignDependency.read(JsonFieldReader.of(item)))
                        .toList(),
                MaintenanceWindow.readAll(spec),
                FailureCohortRule.read(spec),
                spec.child("caps").items("domains").stream()
                        .map(item -> TopologyDomainCap.read(JsonFieldReader.of(item)))
                        .toList(),
                target.boolOr("allowDowngrade", false),
                cluster.boolOr("strict", false),
                spec.child("prepare").durationOrNull("before"),
                spec.child("clusterApi").text("uncovered", "stop").equals("replace"));
    }

    private static List<Wave> waves(List<JsonValue> items) {
        List<Wave> waves = new ArrayList<>();
        for (JsonValue item : items) {
            waves.add(Wave.read(JsonFieldReader.of(item)));
        }
        if (waves.isEmpty()) {
            waves.add(Wave.read(new JsonFieldReader(
                    new JsonValue.JsonObject(java.util.Map.of("name", new JsonValue.JsonString("all"))))));
        }
        return waves;
    }
}
