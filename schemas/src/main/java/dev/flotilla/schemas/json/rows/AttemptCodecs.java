package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.codec.UnionCodec;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptMachineSnapshot;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.StartDeferral;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.topic.RecordKeyFormat;

/** JSON codecs for attempts, failures and rollout entries of a machine. */
final class AttemptCodecs {
    static final JsonCodec<AttemptStep> STEP = EnumCodec.of(AttemptStep.class, AttemptStep::label);
    static final JsonCodec<FailureClass> FAILURE_CLASS = EnumCodec.of(FailureClass.class, FailureClass::label);
    static final JsonCodec<FailureReason> FAILURE_REASON = EnumCodec.of(FailureReason.class, FailureReason::label);

    static final JsonCodec<RolloutRef> ROLLOUT_REF = rolloutRef();
    static final JsonCodec<UpgradeAttempt> ATTEMPT = attempt();
    static final JsonCodec<AttemptFailure> FAILURE = failure();
    static final JsonCodec<RolloutEntry> ENTRY = entry();

    private AttemptCodecs() {}

    private static JsonCodec<RolloutRef> rolloutRef() {
        var campaign = JsonObjectCodec.<RolloutRef.CampaignRef>of("campaign-ref", "Upgraded for a campaign.");
        var name =
                campaign.required("campaign", IdCodecs.CAMPAIGN, "The campaign's name.", RolloutRef.CampaignRef::name);
        var uid = campaign.required(
                "uid",
                ScalarCodecs.SEQ,
                "The campaign's uid: the seq of its first acceptance after absence.",
                RolloutRef.CampaignRef::uid);

        var intent = JsonObjectCodec.<RolloutRef.IntentRef>of("intent-ref", "Upgraded for an annotation.");
        var site = intent.required(
                "site",
                IdCodecs.SITE,
                "The annotated object's site.",
                i -> i.object().site());
        var object = intent.required(
                "object", IdCodecs.OBJECT, "The annotated object.", i -> RecordKeyFormat.print(i.object()));
        var requestedAt = intent.required(
                "requestedAt",
                ScalarCodecs.INSTANT,
                "When the watcher saw the annotation change.",
                RolloutRef.IntentRef::requestedAt);

        return new UnionCodec<RolloutRef>(
                        "rollout", "The campaign or intent that a machine is upgraded for.", "The kind.")
                .with(
                        "campaign",
                        RolloutRef.CampaignRef.class,
                        campaign.build(v -> new RolloutRef.CampaignRef(v.get(name), v.get(uid))))
                .with(
                        "intent",
                        RolloutRef.IntentRef.class,
                        intent.build(v -> new RolloutRef.IntentRef(
                                IdCodecs.object(v.get(site), v.get(object)), v.get(requestedAt))));
    }

    private static JsonCodec<AttemptState> state() {
        var admitted =
                JsonObjectCodec.<AttemptState.Admitted>of("admitted", "Admitted; the worker has not reported yet.");
        var leaseExpiresAt = admitted.required(
                "leaseExpiresAt",
                ScalarCodecs.INSTANT,
                "No call begins later than this.",
                AttemptState.Admitted::leaseExpiresAt);

        var running = JsonObjectCodec.<AttemptState.Running>of("running", "The worker has reported a step.");
        var step = running.required("step", STEP, "The step that the worker reported.", AttemptState.Running::step);
        var change = running.optional(
                "changeId",
                ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN),
                "The id of the change on the node, once the call is made.",
                AttemptState.Running::changeId);
        var deadline = running.required(
                "deadline",
                ScalarCodecs.INSTANT,
                "Before the call: the call must not begin later. After the call: when the attempt should have ended.",
                AttemptState.Running::deadline);

        var unknown = JsonObjectCodec.<AttemptState.Unknown>of("unknown", "The deadline passed without a report.");
        var since =
                unknown.required("since", ScalarCodecs.INSTANT, "When it became unknown.", AttemptState.Unknown::since);
        var lastObservation = unknown.optional(
                "lastObservation",
                ScalarCodecs.text(0, AttemptFailure.MAX_TEXT),
                "What the worker reported last, truncated; absent if it reported nothing.",
                AttemptState.Unknown::lastObservation);

        return new UnionCodec<AttemptState>(
                        "attempt-state",
                        "The state of an open attempt. In each state the attempt occupies its slot.",
                        "The state.")
                .with(
                        "admitted",
                        AttemptState.Admitted.class,
                        admitted.build(v -> new AttemptState.Admitted(v.get(leaseExpiresAt))))
                .with(
                        "running",
                        AttemptState.Running.class,
                        running.build(v -> new AttemptState.Running(v.get(step), v.get(change), v.get(deadline))))
                .with(
                        "unknown",
                        AttemptState.Unknown.class,
                        unknown.build(v -> new AttemptState.Unknown(v.get(since), v.get(lastObservation))));
    }

    private static JsonCodec<UpgradeAttempt> attempt() {
        var attempt = JsonObjectCodec.<UpgradeAttempt>of("attempt", "An open attempt to upgrade one machine.");
        var id = attempt.required(
                "id",
                ScalarCodecs.SEQ,
                "The attempt's id: the seq of its admission, so it never repeats.",
                UpgradeAttempt::id);
        var rollout = attempt.required(
                "rollout", ROLLOUT_REF, "The campaign or intent that it is made for.", UpgradeAttempt::rolloutRef);
        var target = attempt.required(
                "target",
                SharedValueCodecs.OPTION,
                "The target that the machine is upgraded to.",
                UpgradeAttempt::target);
        var state = attempt.required("state", state(), "Its state.", UpgradeAttempt::state);
        var admittedAt = attempt.required(
                "admittedAt", ScalarCodecs.INSTANT, "When it was admitted.", UpgradeAttempt::admittedAt);
        var cancelled = attempt.omittedIfDefault(
                "cancelled",
                ScalarCodecs.FLAG,
                false,
                "Whether the attempt is cancelled: the worker must not make the call.",
                UpgradeAttempt::cancelled);
        var machine = attempt.optional(
                "machine",
                admittedMachine(),
                "The machine as it was admitted; absent in rows of earlier versions.",
                UpgradeAttempt::machine);
        return attempt.build(v -> new UpgradeAttempt(
                v.get(id),
                v.get(rollout),
                v.get(target),
                v.get(state),
                v.get(admittedAt),
                v.get(cancelled),
                v.get(machine)));
    }

    private static JsonCodec<AttemptMachineSnapshot> admittedMachine() {
        var machine = JsonObjectCodec.<AttemptMachineSnapshot>of(
                "admitted-machine",
                "A machine as it was when the attempt was admitted. Until the attempt ends, it counts for this cluster"
                        + " and role and keeps its provider, even if the inventory row or the policy changes.");
        var cluster = machine.required(
                "cluster",
                IdCodecs.NAME,
                "The name of its cluster, in the same namespace.",
                AttemptMachineSnapshot::cluster);
        var role = machine.required(
                "role", InventoryRowCodecs.ROLE, "Its role in the cluster.", AttemptMachineSnapshot::role);
        var provider = machine.omittedIfDefault(
                "provider",
                UpgradeProviderCodecs.PROVIDER,
                UpgradeProvider.K8SD,
                "What upgrades it. Default: k8sd.",
                AttemptMachineSnapshot::provider);
        var template = machine.optional(
                "template",
                UpgradeProviderCodecs.TEMPLATE,
                "With provider node-upgrade: the template of its NodeUpgrade.",
                AttemptMachineSnapshot::template);
        return machine.build(
                v -> new AttemptMachineSnapshot(v.get(cluster), v.get(role), v.get(provider), v.get(template)));
    }

    private static JsonCodec<AttemptFailure> failure() {
        var failure = JsonObjectCodec.<AttemptFailure>of("failure", "How an attempt failed.");
        var attemptId = failure.required("attemptId", ScalarCodecs.SEQ, "The attempt's id.", AttemptFailure::attemptId);
        var failureClass = failure.required(
                "class", FAILURE_CLASS, "Whether another attempt can succeed.", AttemptFailure::failureClass);
        var reason = failure.required("reason", FAILURE_REASON, "Why it failed.", AttemptFailure::reason);
        var text = failure.required(
                "text",
                ScalarCodecs.text(0, AttemptFailure.MAX_TEXT),
                "The node's error, truncated.",
                AttemptFailure::text);
        var failedAt = failure.required("failedAt", ScalarCodecs.INSTANT, "When it failed.", AttemptFailure::failedAt);
        return failure.build(v ->
                new AttemptFailure(v.get(attemptId), v.get(failureClass), v.get(reason), v.get(text), v.get(failedAt)));
    }

    private static JsonCodec<RolloutEntry> entry() {
        var entry = JsonObjectCodec.<RolloutEntry>of("entry", "A machine's progress in one open campaign or intent.");
        var rollout = entry.required("rollout", ROLLOUT_REF, "The campaign or intent.", RolloutEntry::rolloutRef);
        var wave = entry.required(
                "wave",
                ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN),
                "The wave's name; empty for an intent.",
                RolloutEntry::wave);
        var failed = entry.omittedIfDefault(
                "failedAttempts",
                ScalarCodecs.COUNT,
                0,
                "Failed attempts since the campaign began or the last retry order.",
                RolloutEntry::failedAttempts);
        var retryAt = entry.optional(
                "retryAt",
                ScalarCodecs.INSTANT,
                "The next attempt is not made before this instant.",
                RolloutEntry::retryAt);
        var outcome = entry.omittedIfDefault(
                "outcome",
                EnumCodec.of(MachineOutcome.class, MachineOutcome::label),
                MachineOutcome.OPEN,
                "The machine's outcome in the campaign or intent.",
                RolloutEntry::outcome);
        var soakUntil = entry.optional(
                "soakUntil",
                ScalarCodecs.INSTANT,
                "No other machine of its cluster starts before this instant, because this one succeeded.",
                RolloutEntry::soakUntil);
        var fromRevision = entry.optional(
                "fromRevision",
                ScalarCodecs.text(1, ScalarCodecs.MAX_TOKEN),
                "The revision that the node showed at the start; only in a campaign with a cohort breaker.",
                RolloutEntry::fromRevision);
        var quarantined = entry.optional(
                "quarantineSeq",
                ScalarCodecs.SEQ,
                "The seq of the decision that quarantined it. A retry order applies to machines quarantined before the order.",
                RolloutEntry::quarantineSeq);
        var target = entry.optional(
                "target",
                SharedValueCodecs.OPTION,
                "The target of its latest attempt, open or ended.",
                RolloutEntry::target);
        var deferral = entry.optional(
                "deferral",
                deferral(),
                "Consecutive deferrals by its worker, if there are any.",
                RolloutEntry::deferral);
        return entry.build(v -> new RolloutEntry(
                v.get(rollout),
                v.get(wave),
                v.get(failed),
                v.get(retryAt),
                v.get(soakUntil),
                v.get(fromRevision),
                v.get(outcome),
                v.get(quarantined),
                v.get(target),
                v.get(deferral)));
    }

    private static JsonCodec<StartDeferral> deferral() {
        var deferral = JsonObjectCodec.<StartDeferral>of(
                "deferral", "How many times in a row a worker has deferred the start of a machine.");
        var times = deferral.required(
                "times",
                ScalarCodecs.COUNT,
                "Deferrals since its last attempt that failed or succeeded.",
                StartDeferral::count);
        var reason = deferral.required(
                "reason",
                ScalarCodecs.text(0, AttemptFailure.MAX_TEXT),
                "The reason of the latest deferral.",
                StartDeferral::reason);
        return deferral.build(v -> new StartDeferral(v.get(times), v.get(reason)));
    }
}
