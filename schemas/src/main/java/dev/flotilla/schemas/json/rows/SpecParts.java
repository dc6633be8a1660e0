package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.DomainCap;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.UpgradeOption;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts in which a campaign's specification is written; its record is flat. */
final class SpecParts {
    static final Codec<Target> TARGET = target();
    static final Codec<Caps> CAPS = caps();
    static final Codec<ClusterRules> CLUSTER = cluster();

    private static final int MAX_DOMAINS = 8;

    private SpecParts() {}

    /** Where the machines are to go. */
    record Target(UpgradeOption option, @Nullable String expectedVersion, boolean allowDowngrade) {
        static Target of(CampaignSpec spec) {
            return new Target(
                    spec.target(), spec.expectedVersion(), spec.terms().allowDowngrade());
        }
    }

    /** How many may be in flight. */
    record Caps(@Nullable Limit inFlight, List<DomainCap> domains) {
        static @Nullable Caps of(CampaignSpec spec) {
            return spec.inFlight() == null && spec.terms().domains().isEmpty()
                    ? null
                    : new Caps(spec.inFlight(), spec.terms().domains());
        }
    }

    /** What holds within a cluster. */
    record ClusterRules(
            @Nullable Limit inFlight,
            Limit maxUnavailable,
            Duration settle,
            boolean controlPlaneFirst,
            boolean strict) {
        static final ClusterRules DEFAULT = new ClusterRules(null, new Limit.Count(1), Duration.ZERO, true, false);

        static ClusterRules of(CampaignSpec spec) {
            return new ClusterRules(
                    spec.clusterInFlight(),
                    spec.maxUnavailable(),
                    spec.terms().settle(),
                    spec.controlPlaneFirst(),
                    spec.terms().strict());
        }
    }

    private static Codec<Target> target() {
        var target = RecordCodec.<Target>of("target", "Where every selected machine is to go.");
        var option = target.required(
                "option",
                Parts.OPTION,
                "What the node is told: channel=<channel>, revision=<revision> or localPath=<absolute path>.",
                Target::option);
        var version = target.optional(
                "expectedVersion",
                Versions.VERSION,
                "The Kubernetes version, such as 1.33.2, that the node must show as well.",
                Target::expectedVersion);
        var downgrade = target.usual(
                "allowDowngrade",
                Scalars.FLAG,
                false,
                "Whether a node that shows a higher version may be brought to this one.",
                Target::allowDowngrade);
        return target.build(v -> new Target(v.get(option), v.get(version), v.get(downgrade)));
    }

    private static Codec<Caps> caps() {
        var caps = RecordCodec.<Caps>of("caps", "How many machines may be in flight at once.");
        var inFlight = caps.optional(
                "inFlight",
                Parts.LIMIT,
                "Machines of this campaign, as a number or as a share of its members such as \"5%\" (rounded down, at"
                        + " least 1); without it the campaign has no limit of its own.",
                Caps::inFlight);
        var domains = caps.usual(
                "domains",
                new Lists<>(domainCap(), MAX_DOMAINS),
                List.of(),
                "Limits for each value of a label, such as at most 2 in flight in a zone.",
                Caps::domains);
        return caps.build(v -> new Caps(v.get(inFlight), v.get(domains)));
    }

    private static Codec<DomainCap> domainCap() {
        var cap = RecordCodec.<DomainCap>of("domain-cap", "A limit for each value of a label.");
        var label = cap.required(
                "label",
                Scalars.text(1, LabelsCodec.MAX_KEY),
                "The label of machines whose values are the domains.",
                DomainCap::label);
        var inFlight = cap.required(
                "inFlight",
                Parts.LIMIT,
                "Machines of the campaign in flight at once for each value, as a number or as a share of its members with"
                        + " that value.",
                DomainCap::inFlight);
        return cap.build(v -> new DomainCap(v.get(label), v.get(inFlight)));
    }

    private static Codec<ClusterRules> cluster() {
        var cluster = RecordCodec.<ClusterRules>of("cluster-rules", "What holds within each cluster.");
        var inFlight = cluster.optional(
                "inFlight",
                Parts.LIMIT,
                "Machines of one cluster that may be in flight at once, control plane and workers together; without it"
                        + " maxUnavailable alone holds.",
                ClusterRules::inFlight);
        var unavailable = cluster.defaulted(
                "maxUnavailable",
                Parts.LIMIT,
                ClusterRules.DEFAULT.maxUnavailable(),
                "Workers of a cluster that may be unavailable or in flight at once, as a number or a share such as"
                        + " \"10%\" (rounded down, at least 1).",
                ClusterRules::maxUnavailable);
        var settle = cluster.usual(
                "settle",
                Scalars.duration(Duration.ZERO, Duration.ofDays(1)),
                Duration.ZERO,
                "How long a cluster rests between one machine's success and the next start.",
                ClusterRules::settle);
        var first = cluster.defaulted(
                "controlPlaneFirst",
                Scalars.FLAG,
                true,
                "Whether no worker is started before the whole control plane is at the target.",
                ClusterRules::controlPlaneFirst);
        var strict = cluster.usual(
                "strict",
                Scalars.FLAG,
                false,
                "Whether nothing more is started in a cluster one of whose machines was given up on, until that one is"
                        + " skipped or a retry is ordered.",
                ClusterRules::strict);
        return cluster.build(
                v -> new ClusterRules(v.get(inFlight), v.get(unavailable), v.get(settle), v.get(first), v.get(strict)));
    }
}
