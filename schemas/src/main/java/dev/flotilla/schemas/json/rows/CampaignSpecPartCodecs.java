package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.TopologyDomainCap;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON codecs for the nested parts of a campaign's specification; the Java record is flat. */
final class CampaignSpecPartCodecs {
    static final JsonCodec<TargetPart> TARGET = target();
    static final JsonCodec<CapsPart> CAPS = caps();
    static final JsonCodec<ClusterRulesPart> CLUSTER = cluster();

    private static final int MAX_DOMAINS = 8;

    private CampaignSpecPartCodecs() {}

    /** The part {@code target}. */
    record TargetPart(UpgradeTarget option, @Nullable String expectedVersion, boolean allowDowngrade) {
        static TargetPart of(CampaignSpec spec) {
            return new TargetPart(
                    spec.target(), spec.expectedVersion(), spec.constraints().allowDowngrade());
        }
    }

    /** The part {@code caps}. */
    record CapsPart(@Nullable CountOrPercent inFlight, List<TopologyDomainCap> domains) {
        static @Nullable CapsPart of(CampaignSpec spec) {
            return spec.maxInFlight() == null && spec.constraints().domainCaps().isEmpty()
                    ? null
                    : new CapsPart(spec.maxInFlight(), spec.constraints().domainCaps());
        }
    }

    /** The part {@code cluster}. */
    record ClusterRulesPart(
            @Nullable CountOrPercent inFlight,
            CountOrPercent maxUnavailable,
            Duration soak,
            boolean controlPlaneFirst,
            boolean strict) {
        static final ClusterRulesPart DEFAULT =
                new ClusterRulesPart(null, CampaignSpec.DEFAULT_MAX_UNAVAILABLE, Duration.ZERO, true, false);

        static ClusterRulesPart of(CampaignSpec spec) {
            return new ClusterRulesPart(
                    spec.maxInFlightPerCluster(),
                    spec.maxUnavailable(),
                    spec.constraints().clusterSoak(),
                    spec.controlPlaneFirst(),
                    spec.constraints().strict());
        }
    }

    private static JsonCodec<TargetPart> target() {
        var target = JsonObjectCodec.<TargetPart>of("target", "The target of every selected machine.");
        var option = target.required(
                "option",
                SharedValueCodecs.OPTION,
                "What k8sd refreshes to: channel=<channel>, revision=<revision> or localPath=<absolute path>.",
                TargetPart::option);
        var version = target.optional(
                "expectedVersion",
                KubernetesVersionCodec.VERSION,
                "The Kubernetes version, such as 1.33.2, that the node must show after the upgrade.",
                TargetPart::expectedVersion);
        var downgrade = target.omittedIfDefault(
                "allowDowngrade",
                ScalarCodecs.FLAG,
                false,
                "Whether a node that shows a higher version may be downgraded to this target.",
                TargetPart::allowDowngrade);
        return target.build(v -> new TargetPart(v.get(option), v.get(version), v.get(downgrade)));
    }

    private static JsonCodec<CapsPart> caps() {
        var caps = JsonObjectCodec.<CapsPart>of("caps", "How many machines may be in flight at once.");
        var inFlight = caps.optional(
                "inFlight",
                SharedValueCodecs.LIMIT,
                "Machines of this campaign, as a number or as a percentage of its members such as \"5%\" (rounded down, at"
                        + " least 1). Default: no cap for the campaign.",
                CapsPart::inFlight);
        var domains = caps.omittedIfDefault(
                "domains",
                new ListCodec<>(domainCap(), MAX_DOMAINS),
                List.of(),
                "Caps for each value of a label, such as at most 2 machines in flight in a zone.",
                CapsPart::domains);
        return caps.build(v -> new CapsPart(v.get(inFlight), v.get(domains)));
    }

    private static JsonCodec<TopologyDomainCap> domainCap() {
        var cap = JsonObjectCodec.<TopologyDomainCap>of("domain-cap", "A cap for each value of a label.");
        var label = cap.required(
                "label",
                ScalarCodecs.text(1, LabelsCodec.MAX_KEY),
                "The machine label; machines with the same value are one topology domain.",
                TopologyDomainCap::label);
        var inFlight = cap.required(
                "inFlight",
                SharedValueCodecs.LIMIT,
                "Machines of the campaign in flight at once in each topology domain, as a number or as a percentage of its"
                        + " members there.",
                TopologyDomainCap::maxInFlight);
        return cap.build(v -> new TopologyDomainCap(v.get(label), v.get(inFlight)));
    }

    private static JsonCodec<ClusterRulesPart> cluster() {
        var cluster = JsonObjectCodec.<ClusterRulesPart>of("cluster-rules", "Rules within each cluster.");
        var inFlight = cluster.optional(
                "inFlight",
                SharedValueCodecs.LIMIT,
                "Machines of one cluster that may be in flight at once, control plane and workers together. Default: only"
                        + " maxUnavailable applies.",
                ClusterRulesPart::inFlight);
        var unavailable = cluster.defaulted(
                "maxUnavailable",
                SharedValueCodecs.LIMIT,
                ClusterRulesPart.DEFAULT.maxUnavailable(),
                "Workers of a cluster that may be unavailable or in flight at once, as a number or a percentage such as"
                        + " \"10%\" (rounded down, at least 1).",
                ClusterRulesPart::maxUnavailable);
        var soak = cluster.omittedIfDefault(
                "soak",
                ScalarCodecs.duration(Duration.ZERO, Duration.ofDays(1)),
                Duration.ZERO,
                "The pause in a cluster between one machine's success and the next start.",
                ClusterRulesPart::soak);
        var first = cluster.defaulted(
                "controlPlaneFirst",
                ScalarCodecs.FLAG,
                true,
                "Whether no worker starts before the whole control plane is at the target.",
                ClusterRulesPart::controlPlaneFirst);
        var strict = cluster.omittedIfDefault(
                "strict",
                ScalarCodecs.FLAG,
                false,
                "Whether no more machines start in a cluster that has a quarantined machine, until that machine is skipped"
                        + " or retried by an order.",
                ClusterRulesPart::strict);
        return cluster.build(v ->
                new ClusterRulesPart(v.get(inFlight), v.get(unavailable), v.get(soak), v.get(first), v.get(strict)));
    }
}
