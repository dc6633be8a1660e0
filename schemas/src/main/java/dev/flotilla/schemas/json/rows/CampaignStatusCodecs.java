package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.json.codec.CompleteCodec;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.AppliedOrder;
import dev.flotilla.schemas.row.CampaignStatus.CampaignApprovals;
import dev.flotilla.schemas.row.CampaignStatus.ResolvedTarget;
import dev.flotilla.schemas.row.DurationHistogram;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import java.util.List;

/** JSON codecs for the status of campaigns and waves, accepted policies and time zone rules. */
public final class CampaignStatusCodecs {
    public static final JsonCodec<CampaignStatus> CAMPAIGN = campaign();
    public static final JsonCodec<WaveStatus> WAVE = wave();
    public static final JsonCodec<LastAcceptedPolicy> POLICY = policy();
    public static final JsonCodec<TimeZoneRules> ZONE = zone();

    private CampaignStatusCodecs() {}

    private static JsonCodec<CampaignStatus> campaign() {
        var row = JsonObjectCodec.<CampaignStatus>of("campaign-status", "The status of a campaign.");
        var name = row.required("name", IdCodecs.CAMPAIGN, "The campaign's name.", CampaignStatus::name);
        var uid = row.required(
                "uid", ScalarCodecs.SEQ, "The seq of its first acceptance after absence.", CampaignStatus::uid);
        var acceptedCampaign = row.required(
                "acceptedCampaign",
                new CompleteCodec<>(CampaignCodec.CAMPAIGN),
                "The newest specification that was accepted.",
                CampaignStatus::acceptedCampaign);
        var state = row.required(
                "state",
                EnumCodec.of(CampaignState.class, CampaignState::label),
                "Whether it is running, paused, aborted or completed.",
                CampaignStatus::state);
        var why = row.optional(
                "pauseReason",
                ScalarCodecs.text(0, 2_048),
                "Why it paused by itself, or who paused it and why.",
                CampaignStatus::pauseReason);
        var stateSince = row.required(
                "stateSince", ScalarCodecs.INSTANT, "When it entered this state.", CampaignStatus::stateSince);
        var resolvedTargets = row.required(
                "resolvedTargets",
                new ListCodec<>(resolvedTarget(), CampaignStatus.MAX_RESOLVED_TARGETS),
                "The revision and version that the target resolved to, for each site and architecture.",
                CampaignStatus::resolvedTargets);
        var retriedBeforeSeq = row.defaulted(
                "retriedBeforeSeq",
                ScalarCodecs.SEQ,
                0L,
                "Machines that were quarantined before this seq are retried; zero for none.",
                CampaignStatus::retriedBeforeSeq);
        var applied = row.required(
                "appliedOrders",
                new ListCodec<>(appliedOrder(), CampaignStatus.MAX_APPLIED_ORDERS),
                "The ids of the orders applied last, by kind; skips are in the machines' status rows.",
                CampaignStatus::appliedOrders);
        var approvals = row.omittedIfDefault(
                "approvals",
                approvals(),
                CampaignApprovals.NONE,
                "Approvals of the campaign, given and still needed.",
                CampaignStatus::approvals);
        var failuresOfDeletedMachines = row.omittedIfDefault(
                "failuresOfDeletedMachines",
                ScalarCodecs.COUNT,
                0,
                "Failed machines whose name another machine has taken: they still count against the failure budget.",
                CampaignStatus::failuresOfDeletedMachines);
        return row.build(v -> new CampaignStatus(
                v.get(name),
                v.get(uid),
                v.get(acceptedCampaign),
                v.get(state),
                v.get(why),
                v.get(stateSince),
                v.get(resolvedTargets),
                v.get(retriedBeforeSeq),
                v.get(applied),
                v.get(approvals),
                v.get(failuresOfDeletedMachines)));
    }

    private static JsonCodec<CampaignApprovals> approvals() {
        var approvals = JsonObjectCodec.<CampaignApprovals>of("approvals", "Approvals of the campaign as a whole.");
        var pending = approvals.omittedIfDefault(
                "editPending",
                ScalarCodecs.FLAG,
                false,
                "Whether no machine starts until the campaign's edited content is approved.",
                CampaignApprovals::editPending);
        var approvedOverlapUid = approvals.optional(
                "approvedOverlapUid",
                ScalarCodecs.SEQ,
                "The uid of the earlier campaign with which it may overlap.",
                CampaignApprovals::approvedOverlapUid);
        var overlapApprovedSeq = approvals.omittedIfDefault(
                "overlapApprovedSeq",
                ScalarCodecs.SEQ,
                0L,
                "The seq of the decision that approved the overlap.",
                CampaignApprovals::overlapApprovedSeq);
        var endedBeforeSeq = approvals.omittedIfDefault(
                "endedBeforeSeq",
                ScalarCodecs.SEQ,
                0L,
                "The seq of the last edit that ended approvals: overlaps with this campaign that were approved earlier no longer count.",
                CampaignApprovals::endedBeforeSeq);
        return approvals.build(v -> new CampaignApprovals(
                v.get(pending), v.get(approvedOverlapUid), v.get(overlapApprovedSeq), v.get(endedBeforeSeq)));
    }

    private static JsonCodec<ResolvedTarget> resolvedTarget() {
        var learned = JsonObjectCodec.<ResolvedTarget>of(
                "resolved-target", "What the target resolves to for an architecture in a site.");
        var architecture = learned.required(
                "architecture",
                ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN),
                "The architecture.",
                ResolvedTarget::architecture);
        var revision = learned.required("revision", ScalarCodecs.TOKEN, "The revision.", ResolvedTarget::revision);
        var version = learned.optional(
                "version",
                ScalarCodecs.TOKEN,
                "The Kubernetes version that the first upgraded node there shows.",
                ResolvedTarget::version);
        var site = learned.optional(
                "site",
                IdCodecs.SITE,
                "The site; absent in rows of earlier versions, which mean all sites.",
                ResolvedTarget::site);
        return learned.build(
                v -> new ResolvedTarget(v.get(architecture), v.get(revision), v.get(version), v.get(site)));
    }

    private static JsonCodec<AppliedOrder> appliedOrder() {
        var applied = JsonObjectCodec.<AppliedOrder>of(
                "applied-order", "An order that was applied and is not applied again.");
        var order = applied.required("order", ScalarCodecs.text(1, 1_024), "The order's key.", AppliedOrder::order);
        var id = applied.required("id", ScalarCodecs.TOKEN, "The order's id.", AppliedOrder::id);
        return applied.build(v -> new AppliedOrder(v.get(order), v.get(id)));
    }

    private static JsonCodec<WaveStatus> wave() {
        var row = JsonObjectCodec.<WaveStatus>of("wave-status", "The progress of a wave.");
        var campaign = row.required(
                "campaign",
                IdCodecs.CAMPAIGN,
                "The campaign's name.",
                w -> w.key().campaign());
        var wave = row.required(
                "wave", IdCodecs.LABEL, "The wave's name.", w -> w.key().wave());
        var uid = row.required(
                "campaignUid", ScalarCodecs.SEQ, "The uid of the campaign it belongs to.", WaveStatus::campaignUid);
        var sharePartsPerMillion = row.optional(
                "sharePartsPerMillion",
                ScalarCodecs.integer(0, Wave.WHOLE),
                "The share of the selected clusters that it takes, in parts per million; computed once, from its percentage or count.",
                WaveStatus::sharePartsPerMillion);
        var openedAt = row.optional("openedAt", ScalarCodecs.INSTANT, "When it opened.", WaveStatus::openedAt);
        var approved = row.optional(
                "approvedBy",
                ScalarCodecs.TOKEN,
                "The id of the order that approved its start or its end.",
                WaveStatus::approvedBy);
        var lastSuccessAt = row.optional(
                "lastSuccessAt", ScalarCodecs.INSTANT, "When its latest success was.", WaveStatus::lastSuccessAt);
        var closedAt = row.optional("closedAt", ScalarCodecs.INSTANT, "When it closed.", WaveStatus::closedAt);
        var durations = row.<List<DurationHistogram>>omittedIfDefault(
                "durations",
                new DurationHistogramCodec(),
                List.of(),
                "The durations of its attempts, for each class of machines.",
                WaveStatus::durations);
        return row.build(v -> new WaveStatus(
                new WaveKey(v.get(campaign), v.get(wave)),
                v.get(uid),
                v.get(sharePartsPerMillion),
                v.get(openedAt),
                v.get(approved),
                v.get(lastSuccessAt),
                v.get(closedAt),
                v.get(durations)));
    }

    private static JsonCodec<LastAcceptedPolicy> policy() {
        var row = JsonObjectCodec.<LastAcceptedPolicy>of(
                "accepted-policy",
                "The newest accepted policy of a scope: it applies while a later one is unreadable.");
        var policy = row.required(
                "policy", new CompleteCodec<>(UpgradePolicyCodec.POLICY), "The policy.", LastAcceptedPolicy::policy);
        return row.build(v -> new LastAcceptedPolicy(v.get(policy)));
    }

    private static JsonCodec<TimeZoneRules> zone() {
        var row = JsonObjectCodec.<TimeZoneRules>of(
                "zone-rules",
                "The UTC offsets of a time zone, so that a decision never depends on the JVM's time zone data.");
        var zone = row.required(
                "zone",
                MaintenanceWindowCodec.ZONE,
                "The time zone's name, such as Europe/Berlin.",
                TimeZoneRules::timeZone);
        var initial = row.required(
                "initialOffsetSeconds",
                ScalarCodecs.integer(-64_800, 64_800),
                "The offset from UTC before the first transition.",
                TimeZoneRules::initialOffsetSeconds);
        var transition =
                JsonObjectCodec.<TimeZoneRules.OffsetTransition>of("transition", "A change of the offset from UTC.");
        var at = transition.required("at", ScalarCodecs.INSTANT, "The instant.", TimeZoneRules.OffsetTransition::at);
        var offset = transition.required(
                "offsetSeconds",
                ScalarCodecs.integer(-64_800, 64_800),
                "The new offset.",
                TimeZoneRules.OffsetTransition::offsetSeconds);
        var transitions = row.<List<TimeZoneRules.OffsetTransition>>required(
                "transitions",
                new ListCodec<>(
                        transition.build(v -> new TimeZoneRules.OffsetTransition(v.get(at), v.get(offset))), 2_048),
                "The changes of the offset, in order of time.",
                TimeZoneRules::transitions);
        return row.build(v -> new TimeZoneRules(v.get(zone), v.get(initial), v.get(transitions)));
    }
}
