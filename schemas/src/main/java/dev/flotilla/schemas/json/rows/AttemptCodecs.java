package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.json.codec.UnionCodec;
import dev.flotilla.schemas.row.AdmittedMachine;
import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.Deferral;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Failure;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Step;
import dev.flotilla.schemas.topic.Keys;

/** What is kept of a machine's attempts. */
final class AttemptCodecs {
    static final Codec<Step> STEP = Choice.of(Step.class, Step::label);
    static final Codec<FailureClass> FAILURE_CLASS = Choice.of(FailureClass.class, FailureClass::label);
    static final Codec<FailureReason> FAILURE_REASON = Choice.of(FailureReason.class, FailureReason::label);

    static final Codec<Driver> DRIVER = driver();
    static final Codec<Attempt> ATTEMPT = attempt();
    static final Codec<Failure> FAILURE = failure();
    static final Codec<Entry> ENTRY = entry();

    private AttemptCodecs() {}

    private static Codec<Driver> driver() {
        var campaign = RecordCodec.<Driver.OfCampaign>of("of-campaign", "A campaign drives.");
        var name = campaign.required("campaign", Ids.CAMPAIGN, "The campaign's name.", Driver.OfCampaign::name);
        var uid = campaign.required(
                "uid",
                Scalars.SEQ,
                "The campaign's uid: the seq of its first acceptance after absence.",
                Driver.OfCampaign::uid);

        var intent = RecordCodec.<Driver.OfIntent>of("of-intent", "An annotation drives.");
        var site = intent.required(
                "site",
                Ids.SITE,
                "The annotated object's site.",
                i -> i.object().site());
        var object = intent.required("object", Ids.OBJECT, "The annotated object.", i -> Keys.print(i.object()));
        var since = intent.required(
                "since", Scalars.INSTANT, "When the annotation was seen to change.", Driver.OfIntent::since);

        return new UnionCodec<Driver>("driver", "On whose behalf a machine is upgraded.", "by", "What drives.")
                .with(
                        "campaign",
                        Driver.OfCampaign.class,
                        campaign.build(v -> new Driver.OfCampaign(v.get(name), v.get(uid))))
                .with(
                        "intent",
                        Driver.OfIntent.class,
                        intent.build(v -> new Driver.OfIntent(Ids.object(v.get(site), v.get(object)), v.get(since))));
    }

    private static Codec<AttemptState> state() {
        var admitted = RecordCodec.<AttemptState.Admitted>of("admitted", "Decided; no word from the worker yet.");
        var notAfter = admitted.required(
                "notAfter", Scalars.INSTANT, "No call begins later than this.", AttemptState.Admitted::notAfter);

        var running = RecordCodec.<AttemptState.Running>of("running", "The worker is at it.");
        var step = running.required("step", STEP, "The worker's step.", AttemptState.Running::step);
        var change = running.optional(
                "changeId",
                Scalars.text(0, Scalars.MAX_TOKEN),
                "The id of the change on the node, once the call is made.",
                AttemptState.Running::changeId);
        var deadline = running.required(
                "deadline",
                Scalars.INSTANT,
                "Before the call the instant after which it may not be made; then when it should have ended.",
                AttemptState.Running::deadline);

        var unknown = RecordCodec.<AttemptState.Unknown>of("unknown", "Past its deadline without a word.");
        var since =
                unknown.required("since", Scalars.INSTANT, "Since when it is unknown.", AttemptState.Unknown::since);
        var why = unknown.optional(
                "why",
                Scalars.text(0, Failure.MAX_TEXT),
                "What the worker saw last, cut; absent where nothing was said.",
                AttemptState.Unknown::why);

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

    private static Codec<Attempt> attempt() {
        var attempt = RecordCodec.<Attempt>of("attempt", "An open attempt to upgrade one machine.");
        var number = attempt.required(
                "number", Scalars.SEQ, "The seq of its admission, so that it never repeats.", Attempt::number);
        var driver = attempt.required("driver", DRIVER, "On whose behalf it is made.", Attempt::driver);
        var target = attempt.required("target", Parts.OPTION, "Where the machine is to go.", Attempt::target);
        var state = attempt.required("state", state(), "Where it is.", Attempt::state);
        var since = attempt.required("since", Scalars.INSTANT, "When it was admitted.", Attempt::since);
        var cancelled = attempt.usual(
                "cancelled", Scalars.FLAG, false, "Whether its call is no longer wanted.", Attempt::cancelled);
        var machine = attempt.optional(
                "machine",
                admittedMachine(),
                "The machine as it was admitted; rows of earlier versions do not say.",
                Attempt::machine);
        return attempt.build(v -> new Attempt(
                v.get(number),
                v.get(driver),
                v.get(target),
                v.get(state),
                v.get(since),
                v.get(cancelled),
                v.get(machine)));
    }

    private static Codec<AdmittedMachine> admittedMachine() {
        var machine = RecordCodec.<AdmittedMachine>of(
                "admitted-machine",
                "A machine when an attempt was admitted. The attempt counts here until it ends, whatever its inventory row"
                        + " says since.");
        var cluster = machine.required(
                "cluster", Ids.NAME, "The name of its cluster, in the same namespace.", AdmittedMachine::cluster);
        var role = machine.required("role", InventoryCodecs.ROLE, "What it was to its cluster.", AdmittedMachine::role);
        return machine.build(v -> new AdmittedMachine(v.get(cluster), v.get(role)));
    }

    private static Codec<Failure> failure() {
        var failure = RecordCodec.<Failure>of("failure", "How an attempt failed.");
        var attempt = failure.required("attempt", Scalars.SEQ, "The attempt's number.", Failure::attempt);
        var failureClass =
                failure.required("class", FAILURE_CLASS, "What it means for another try.", Failure::failureClass);
        var reason = failure.required("reason", FAILURE_REASON, "Why it failed.", Failure::reason);
        var text =
                failure.required("text", Scalars.text(0, Failure.MAX_TEXT), "What the node said, cut.", Failure::text);
        var time = failure.required("time", Scalars.INSTANT, "When it failed.", Failure::time);
        return failure.build(
                v -> new Failure(v.get(attempt), v.get(failureClass), v.get(reason), v.get(text), v.get(time)));
    }

    private static Codec<Entry> entry() {
        var entry = RecordCodec.<Entry>of("entry", "What an open campaign or intent has had to do with a machine.");
        var driver = entry.required("driver", DRIVER, "The campaign or intent.", Entry::driver);
        var wave = entry.required(
                "wave", Scalars.text(0, Scalars.MAX_TOKEN), "The wave's name; empty for an intent.", Entry::wave);
        var failed = entry.usual(
                "failedAttempts",
                Scalars.COUNT,
                0,
                "Failed attempts since the campaign began or the last retry order.",
                Entry::failedAttempts);
        var retryAt =
                entry.optional("retryAt", Scalars.INSTANT, "Not before then is the next attempt made.", Entry::retryAt);
        var outcome = entry.usual(
                "outcome",
                Choice.of(Outcome.class, Outcome::label),
                Outcome.OPEN,
                "How the machine stands in it.",
                Entry::outcome);
        var rest = entry.optional(
                "restUntil",
                Scalars.INSTANT,
                "Not before then does its cluster go on after its success.",
                Entry::restUntil);
        var from = entry.optional(
                "from",
                Scalars.text(1, Scalars.MAX_TOKEN),
                "The revision that the node showed when it was started, where kinds of machines are told apart.",
                Entry::from);
        var quarantined = entry.optional(
                "quarantineSeq",
                Scalars.SEQ,
                "The journal record that quarantined it. A retry order lifts what was quarantined before the order.",
                Entry::quarantineSeq);
        var target = entry.optional(
                "target",
                Parts.OPTION,
                "To what its latest attempt was to bring the machine, open or over.",
                Entry::target);
        var deferral = entry.optional(
                "deferral",
                deferral(),
                "Its worker's refusals to start it, in a row, where there are any.",
                Entry::deferral);
        return entry.build(v -> new Entry(
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

    private static Codec<Deferral> deferral() {
        var deferral =
                RecordCodec.<Deferral>of("deferral", "How often in a row a worker has refused to start a machine.");
        var times = deferral.required(
                "times", Scalars.COUNT, "Refusals since its last attempt that failed or succeeded.", Deferral::times);
        var reason = deferral.required(
                "reason", Scalars.text(0, Failure.MAX_TEXT), "What the worker said last.", Deferral::reason);
        return deferral.build(v -> new Deferral(v.get(times), v.get(reason)));
    }
}
