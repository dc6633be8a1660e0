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
import dev.flotilla.schemas.topic.RecordKeyFormat;

/** What is kept of a machine's attempts. */
final class AttemptCodecs {
    static final JsonCodec<AttemptStep> STEP = EnumCodec.of(AttemptStep.class, AttemptStep::label);
    static final JsonCodec<FailureClass> FAILURE_CLASS = EnumCodec.of(FailureClass.class, FailureClass::label);
    static final JsonCodec<FailureReason> FAILURE_REASON = EnumCodec.of(FailureReason.class, FailureReason::label);

    static final JsonCodec<RolloutRef> DRIVER = driver();
    static final JsonCodec<UpgradeAttempt> ATTEMPT = attempt();
    static final JsonCodec<AttemptFailure> FAILURE = failure();
    static final JsonCodec<RolloutEntry> ENTRY = entry();

    private AttemptCodecs() {}

    private static JsonCodec<RolloutRef> driver() {
        var campaign = JsonObjectCodec.<RolloutRef.CampaignRef>of("of-campaign", "A campaign drives.");
        var name =
                campaign.required("campaign", IdCodecs.CAMPAIGN, "The campaign's name.", RolloutRef.CampaignRef::name);
        var uid = campaign.required(
                "uid",
                ScalarCodecs.SEQ,
                "The campaign's uid: the seq of its first acceptance after absence.",
                RolloutRef.CampaignRef::uid);

        var intent = JsonObjectCodec.<RolloutRef.IntentRef>of("of-intent", "An annotation drives.");
        var site = intent.required(
                "site",
                IdCodecs.SITE,
                "The annotated object's site.",
                i -> i.object().site());
        var object = intent.required(
                "object", IdCodecs.OBJECT, "The annotated object.", i -> RecordKeyFormat.print(i.object()));
        var since = intent.required(
                "since", ScalarCodecs.INSTANT, "When the annotation was seen to change.", RolloutRef.IntentRef::since);

        return new UnionCodec<RolloutRef>("driver", "On whose behalf a machine is upgraded.", "by", "What drives.")
                .with(
                        "campaign",
                        RolloutRef.CampaignRef.class,
                        campaign.build(v -> new RolloutRef.CampaignRef(v.get(name), v.get(uid))))
                .with(
                        "intent",
                        RolloutRef.IntentRef.class,
                        intent.build(v ->
                                new RolloutRef.IntentRef(IdCodecs.object(v.get(site), v.get(object)), v.get(since))));
    }

    private static JsonCodec<AttemptState> state() {
        var admitted = JsonObjectCodec.<AttemptState.Admitted>of("admitted", "Decided; no word from the worker yet.");
        var notAfter = admitted.required(
                "notAfter",
                ScalarCodecs.INSTANT,
                "No call begins later than this.",
                AttemptState.Admitted::leaseExpiresAt);

        var running = JsonObjectCodec.<AttemptState.Running>of("running", "The worker is at it.");
        var step = running.required("step", STEP, "The worker's step.", AttemptState.Running::step);
        var change = running.optional(
                "changeId",
                ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN),
                "The id of the change on the node, once the call is made.",
                AttemptState.Running::changeId);
        var deadline = running.required(
                "deadline",
                ScalarCodecs.INSTANT,
                "Before the call the instant after which it may not be made; then when it should have ended.",
                AttemptState.Running::deadline);

        var unknown = JsonObjectCodec.<AttemptState.Unknown>of("unknown", "Past its deadline without a word.");
        var since = unknown.required(
                "since", ScalarCodecs.INSTANT, "Since when it is unknown.", AttemptState.Unknown::since);
        var why = unknown.optional(
                "why",
                ScalarCodecs.text(0, AttemptFailure.MAX_TEXT),
                "What the worker saw last, cut; absent where nothing was said.",
                AttemptState.Unknown::lastObservation);

        return new UnionCodec<AttemptState>(
                        "attempt-state", "Where an open attempt is. Each state holds its slot.", "is", "The state.")
                .with(
                        "admitted",
                        AttemptState.Admitted.class,
                        admitted.build(v -> new AttemptState.Admitted(v.get(notAfter))))
                .with(
                        "running",
                        AttemptState.Running.class,
                        running.build(v -> new AttemptState.Running(v.get(step), v.get(change), v.get(deadline))))
                .with(
                        "unknown",
                        AttemptState.Unknown.class,
                        unknown.build(v -> new AttemptState.Unknown(v.get(since), v.get(why))));
    }

    private static JsonCodec<UpgradeAttempt> attempt() {
        var attempt = JsonObjectCodec.<UpgradeAttempt>of("attempt", "An open attempt to upgrade one machine.");
        var number = attempt.required(
                "number", ScalarCodecs.SEQ, "The seq of its admission, so that it never repeats.", UpgradeAttempt::id);
        var driver = attempt.required("driver", DRIVER, "On whose behalf it is made.", UpgradeAttempt::rolloutRef);
        var target = attempt.required(
                "target", SharedValueCodecs.OPTION, "Where the machine is to go.", UpgradeAttempt::target);
        var state = attempt.required("state", state(), "Where it is.", UpgradeAttempt::state);
        var since = attempt.required("since", ScalarCodecs.INSTANT, "When it was admitted.", UpgradeAttempt::since);
        var cancelled = attempt.omittedIfDefault(
                "cancelled",
                ScalarCodecs.FLAG,
                false,
                "Whether its call is no longer wanted.",
                UpgradeAttempt::cancelled);
        var machine = attempt.optional(
                "machine",
                admittedMachine(),
                "The machine as it was admitted; rows of earlier versions do not say.",
                UpgradeAttempt::machine);
        return attempt.build(v -> new UpgradeAttempt(
                v.get(number),
                v.get(driver),
                v.get(target),
                v.get(state),
                v.get(since),
                v.get(cancelled),
                v.get(machine)));
    }

    private static JsonCodec<AttemptMachineSnapshot> admittedMachine() {
        var machine = JsonObjectCodec.<AttemptMachineSnapshot>of(
                "admitted-machine",
                "A machine when an attempt was admitted. The attempt counts here until it ends, whatever its inventory row"
                        + " says since.");
        var cluster = machine.required(
                "cluster",
                IdCodecs.NAME,
                "The name of its cluster, in the same namespace.",
                AttemptMachineSnapshot::cluster);
        var role = machine.required(
                "role", InventoryRowCodecs.ROLE, "What it was to its cluster.", AttemptMachineSnapshot::role);
        return machine.build(v -> new AttemptMachineSnapshot(v.get(cluster), v.get(role)));
    }

    private static JsonCodec<AttemptFailure> failure() {
        var failure = JsonObjectCodec.<AttemptFailure>of("failure", "How an attempt failed.");
        var attempt = failure.required("attempt", ScalarCodecs.SEQ, "The attempt's number.", AttemptFailure::attemptId);
        var failureClass = failure.required(
                "class", FAILURE_CLASS, "What it means for another try.", AttemptFailure::failureClass);
        var reason = failure.required("reason", FAILURE_REASON, "Why it failed.", AttemptFailure::reason);
        var text = failure.required(
                "text",
                ScalarCodecs.text(0, AttemptFailure.MAX_TEXT),
                "What the node said, cut.",
                AttemptFailure::text);
        var time = failure.required("time", ScalarCodecs.INSTANT, "When it failed.", AttemptFailure::failedAt);
        return failure.build(
                v -> new AttemptFailure(v.get(attempt), v.get(failureClass), v.get(reason), v.get(text), v.get(time)));
    }

    private static JsonCodec<RolloutEntry> entry() {
        var entry = JsonObjectCodec.<RolloutEntry>of(
                "entry", "What an open campaign or intent has had to do with a machine.");
        var driver = entry.required("driver", DRIVER, "The campaign or intent.", RolloutEntry::rolloutRef);
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
                "retryAt", ScalarCodecs.INSTANT, "Not before then is the next attempt made.", RolloutEntry::retryAt);
        var outcome = entry.omittedIfDefault(
                "outcome",
                EnumCodec.of(MachineOutcome.class, MachineOutcome::label),
                MachineOutcome.OPEN,
                "How the machine stands in it.",
                RolloutEntry::outcome);
        var rest = entry.optional(
                "restUntil",
                ScalarCodecs.INSTANT,
                "Not before then does its cluster go on after its success.",
                RolloutEntry::soakUntil);
        var from = entry.optional(
                "from",
                ScalarCodecs.text(1, ScalarCodecs.MAX_TOKEN),
                "The revision that the node showed when it was started, where kinds of machines are told apart.",
                RolloutEntry::fromRevision);
        var quarantined = entry.optional(
                "quarantineSeq",
                ScalarCodecs.SEQ,
                "The journal record that quarantined it. A retry order lifts what was quarantined before the order.",
                RolloutEntry::quarantineSeq);
        var target = entry.optional(
                "target",
                SharedValueCodecs.OPTION,
                "To what its latest attempt was to bring the machine, open or over.",
                RolloutEntry::target);
        var deferral = entry.optional(
                "deferral",
                deferral(),
                "Its worker's refusals to start it, in a row, where there are any.",
                RolloutEntry::deferral);
        return entry.build(v -> new RolloutEntry(
                v.get(driver),
                v.get(wave),
                v.get(failed),
                v.get(retryAt),
                v.get(rest),
                v.get(from),
                v.get(outcome),
                v.get(quarantined),
                v.get(target),
                v.get(deferral)));
    }

    private static JsonCodec<StartDeferral> deferral() {
        var deferral = JsonObjectCodec.<StartDeferral>of(
                "deferral", "How often in a row a worker has refused to start a machine.");
        var times = deferral.required(
                "times",
                ScalarCodecs.COUNT,
                "Refusals since its last attempt that failed or succeeded.",
                StartDeferral::count);
        var reason = deferral.required(
                "reason",
                ScalarCodecs.text(0, AttemptFailure.MAX_TEXT),
                "What the worker said last.",
                StartDeferral::reason);
        return deferral.build(v -> new StartDeferral(v.get(times), v.get(reason)));
    }
}
