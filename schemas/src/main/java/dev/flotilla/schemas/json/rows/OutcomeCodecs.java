package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.row.AcceptedPolicy;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.AppliedOrder;
import dev.flotilla.schemas.row.CampaignStatus.Approvals;
import dev.flotilla.schemas.row.CampaignStatus.Learned;
import dev.flotilla.schemas.row.Durations;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.row.ZoneRules;
import java.util.List;

/** What the orchestrator made of campaigns, waves, policies and time zones. */
public final class OutcomeCodecs {
    public static final Codec<CampaignStatus> CAMPAIGN = campaign();
    public static final Codec<WaveStatus> WAVE = wave();
    public static final Codec<AcceptedPolicy> POLICY = policy();
    public static final Codec<ZoneRules> ZONE = zone();

    private OutcomeCodecs() {}

    private static Codec<CampaignStatus> campaign() {
        var row = RecordCodec.<CampaignStatus>of("campaign-status", "What the orchestrator made of a campaign.");
        var name = row.required("name", Ids.CAMPAIGN, "The campaign's name.", CampaignStatus::name);
        var uid =
                row.required("uid", Scalars.SEQ, "The seq of its first acceptance after absence.", CampaignStatus::uid);
        var accepted = row.required(
                "accepted",
                CampaignCodec.CAMPAIGN,
                "The newest specification that could be read and was taken.",
                CampaignStatus::accepted);
        var state = row.required(
                "state", Choice.of(RunState.class, RunState::label), "What it is doing.", CampaignStatus::state);
        var why = row.optional(
                "pauseReason",
                Scalars.text(0, 2_048),
                "Why it pauses by itself, or who paused it and why.",
                CampaignStatus::pauseReason);
        var since = row.required("since", Scalars.INSTANT, "Since when it does so.", CampaignStatus::since);
        var learned = row.required(
                "learned",
                new Lists<>(learned(), CampaignStatus.MAX_LEARNED),
                "Which revision and version the target has proved to be, for each site and architecture.",
                CampaignStatus::learned);
        var retried = row.defaulted(
                "retriedBelow",
                Scalars.SEQ,
                0L,
                "Machines quarantined by an attempt with a lower number get another round; zero for none.",
                CampaignStatus::retriedBelow);
        var applied = row.required(
                "appliedOrders",
                new Lists<>(applied(), CampaignStatus.MAX_APPLIED_ORDERS),
                "The ids of the orders applied last, by kind; skips stand in the machines' status rows.",
                CampaignStatus::appliedOrders);
        var approvals = row.usual(
                "approvals",
                approvals(),
                Approvals.NONE,
                "What people have still to approve of the campaign, and what they have.",
                CampaignStatus::approvals);
        var gone = row.usual(
                "failuresOfGone",
                Scalars.COUNT,
                0,
                "Machines that failed and whose name another machine has since: they still use the failure budget.",
                CampaignStatus::failuresOfGone);
        return row.build(v -> new CampaignStatus(
                v.get(name),
                v.get(uid),
                v.get(accepted),
                v.get(state),
                v.get(why),
                v.get(since),
                v.get(learned),
                v.get(retried),
                v.get(applied),
                v.get(approvals),
                v.get(gone)));
    }

    private static Codec<Approvals> approvals() {
        var approvals = RecordCodec.<Approvals>of("approvals", "What people approved of the campaign as a whole.");
        var pending = approvals.usual(
                "editPending",
                Scalars.FLAG,
                false,
                "Whether nothing starts until somebody approves the edition that an edit has made.",
                Approvals::editPending);
        var overlap = approvals.optional(
                "overlapOf",
                Scalars.SEQ,
                "The uid of the earlier campaign beside which it may run.",
                Approvals::overlapOf);
        var overlapSeq = approvals.usual(
                "overlapSeq",
                Scalars.SEQ,
                0L,
                "The decision that let it run beside that campaign.",
                Approvals::overlapSeq);
        var ended = approvals.usual(
                "endedBelow",
                Scalars.SEQ,
                0L,
                "The last edit that ended approvals: who was let run beside this campaign by an earlier decision waits again.",
                Approvals::endedBelow);
        return approvals.build(v -> new Approvals(v.get(pending), v.get(overlap), v.get(overlapSeq), v.get(ended)));
    }

    private static Codec<Learned> learned() {
        var learned = RecordCodec.<Learned>of("learned", "What the target means on an architecture in a site.");
        var architecture = learned.required(
                "architecture", Scalars.text(0, Scalars.MAX_TOKEN), "The architecture.", Learned::architecture);
        var revision = learned.required("revision", Scalars.TOKEN, "The revision.", Learned::revision);
        var version = learned.optional(
                "version",
                Scalars.TOKEN,
                "The Kubernetes version that the first node there has shown.",
                Learned::version);
        var site = learned.optional(
                "site", Ids.SITE, "The site; without it, as earlier versions wrote it, all sites.", Learned::site);
        return learned.build(v -> new Learned(v.get(architecture), v.get(revision), v.get(version), v.get(site)));
    }

    private static Codec<AppliedOrder> applied() {
        var applied = RecordCodec.<AppliedOrder>of("applied-order", "An order that is not applied again.");
        var order = applied.required("order", Scalars.text(1, 1_024), "The order's key.", AppliedOrder::order);
        var id = applied.required("id", Scalars.TOKEN, "The order's id.", AppliedOrder::id);
        return applied.build(v -> new AppliedOrder(v.get(order), v.get(id)));
    }

    private static Codec<WaveStatus> wave() {
        var row = RecordCodec.<WaveStatus>of("wave-status", "How far a wave is.");
        var campaign = row.required(
                "campaign", Ids.CAMPAIGN, "The campaign's name.", w -> w.key().campaign());
        var wave =
                row.required("wave", Ids.LABEL, "The wave's name.", w -> w.key().wave());
        var uid = row.required(
                "campaignUid", Scalars.SEQ, "The uid of the campaign it belongs to.", WaveStatus::campaignUid);
        var bound = row.optional(
                "bound",
                Scalars.integer(0, Wave.WHOLE),
                "How many millionths of the clusters that it selects it takes; settled once, from its percentage or count.",
                WaveStatus::bound);
        var opened = row.optional("opened", Scalars.INSTANT, "When it opened.", WaveStatus::opened);
        var approved = row.optional(
                "approvedBy",
                Scalars.TOKEN,
                "The id of the order that let it begin, or be done with.",
                WaveStatus::approvedBy);
        var success = row.optional(
                "lastSuccess", Scalars.INSTANT, "When its last machine so far succeeded.", WaveStatus::lastSuccess);
        var closed = row.optional("closed", Scalars.INSTANT, "When it was done with.", WaveStatus::closed);
        var durations = row.<List<Durations>>usual(
                "durations",
                new DurationsCodec(),
                List.of(),
                "How long attempts took, for each class of machines.",
                WaveStatus::durations);
        return row.build(v -> new WaveStatus(
                new WaveKey(v.get(campaign), v.get(wave)),
                v.get(uid),
                v.get(bound),
                v.get(opened),
                v.get(approved),
                v.get(success),
                v.get(closed),
                v.get(durations)));
    }

    private static Codec<AcceptedPolicy> policy() {
        var row = RecordCodec.<AcceptedPolicy>of(
                "accepted-policy",
                "The newest policy of a scope that could be read: what holds while a later one cannot.");
        var policy = row.required("policy", PolicyCodec.POLICY, "The policy.", AcceptedPolicy::policy);
        return row.build(v -> new AcceptedPolicy(v.get(policy)));
    }

    private static Codec<ZoneRules> zone() {
        var row = RecordCodec.<ZoneRules>of(
                "zone-rules",
                "The offsets of a time zone, so that a decision never depends on a JVM's own idea of them.");
        var zone = row.required("zone", WindowCodec.ZONE, "The zone's name, such as Europe/Berlin.", ZoneRules::zone);
        var initial = row.required(
                "initialOffsetSeconds",
                Scalars.integer(-64_800, 64_800),
                "The offset from UTC before the first transition.",
                ZoneRules::initialOffsetSeconds);
        var transition =
                RecordCodec.<ZoneRules.Transition>of("transition", "From this instant on, this offset from UTC.");
        var at = transition.required("at", Scalars.INSTANT, "The instant.", ZoneRules.Transition::at);
        var offset = transition.required(
                "offsetSeconds", Scalars.integer(-64_800, 64_800), "The offset.", ZoneRules.Transition::offsetSeconds);
        var transitions = row.<List<ZoneRules.Transition>>required(
                "transitions",
                new Lists<>(transition.build(v -> new ZoneRules.Transition(v.get(at), v.get(offset))), 2_048),
                "The changes of the offset, in their order.",
                ZoneRules::transitions);
        return row.build(v -> new ZoneRules(v.get(zone), v.get(initial), v.get(transitions)));
    }
}
