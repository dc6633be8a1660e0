package dev.flotilla.core.procedure;

import dev.flotilla.core.procedure.Proving.After;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An attempt from its call on: what came of it? Nothing here begins anything on the node. */
final class Aftermath {
    /** No change of snapd's. */
    private static final String NO_CHANGE = "0";

    private final Verification verification;
    private Proving stage;
    private @Nullable AttemptStep said;
    private boolean saidUnknown;

    private Aftermath(Verification verification, Proving stage, boolean saidUnknown) {
        this.verification = verification;
        this.stage = stage;
        this.saidUnknown = saidUnknown;
    }

    /** What is to be done, or how it ends. */
    sealed interface Move {
        record Do(List<Act> acts) implements Move {}

        record End(AttemptReport report) implements Move {}
    }

    /** Watches a change. */
    static Aftermath watching(Verification verification, String changeId, Moment now) {
        return new Aftermath(verification, new Proving.Watching(changeId, Watch.from(now)), false);
    }

    /** Verifies the node. */
    static Aftermath verifying(Verification verification, After after, @Nullable String changeId, Moment now) {
        return new Aftermath(verification, Proving.Verifying.from(after, changeId, now), false);
    }

    /** Goes on though somebody has said that nothing can be told. */
    static Aftermath unclear(Verification verification, AttemptReport.OutcomeUnknown unknown, Moment now) {
        return new Aftermath(verification, Proving.Verifying.from(After.UNKNOWN, unknown.changeId(), now), true);
    }

    /** What is asked first. */
    List<Act> begin() {
        return switch (stage) {
            case Proving.Watching watching -> List.of(new Act.Poll(watching.changeId()));
            default -> List.of(new Act.Inspect());
        };
    }

    Move take(Signal signal, Moment now) {
        return switch (signal) {
            case Signal.Inspected inspected -> inspected(inspected.sight(), now);
            case Signal.Polled polled -> polled(polled.sight(), now);
            case Signal.Rested rested -> rested();
            default -> nothing();
        };
    }

    private Move inspected(Sight sight, Moment now) {
        return switch (stage) {
            case Proving.Glancing glancing -> glanced(glancing, sight);
            case Proving.Watching watching -> nothing();
            case Proving.Awaiting awaiting -> awaits(awaiting, sight);
            case Proving.Verifying verifying -> verifies(verifying, sight, now);
            case Proving.Asking asking -> nothing();
        };
    }

    private Move polled(ChangeSight sight, Moment now) {
        return switch (stage) {
            case Proving.Watching watching -> polled(watching.changeId(), watching.watch(), sight, now);
            case Proving.Verifying verifying -> heard(verifying, sight, now);
            case Proving.Asking asking -> asked(asking, sight, now);
            case Proving.Awaiting awaiting -> nothing();
            case Proving.Glancing glancing -> nothing();
        };
    }

    private Move rested() {
        return switch (stage) {
            case Proving.Watching watching -> act(new Act.Poll(watching.changeId()));
            case Proving.Verifying verifying -> {
                String changeId = verifying.asksFor();
                yield act(changeId == null ? new Act.Inspect() : new Act.Poll(changeId));
            }
            case Proving.Glancing glancing -> nothing();
            case Proving.Awaiting awaiting -> nothing();
            case Proving.Asking asking -> nothing();
        };
    }

    // The change.

    private Move polled(String changeId, Watch watch, ChangeSight sight, Moment now) {
        return switch (sight) {
            case ChangeSight.GoesOn on -> goesOn(changeId, watch.goesOn(), on.text(), now);
            case ChangeSight.Waits waits -> goesOn(changeId, watch.waits(now), waits.text(), now);
            case ChangeSight.Silent silent -> goesOn(changeId, watch.silent(now), silent.text(), now);
            case ChangeSight.AwaitsPeers peers -> to(new Proving.Awaiting(changeId, watch.goesOn()), new Act.Inspect());
            case ChangeSight.Done done -> verify(After.DONE, changeId, now);
            case ChangeSight.Lost lost -> verify(After.LOST, changeId, now);
            case ChangeSight.Failed failed -> failed(FailureReason.REFRESH_ERROR, failed.text());
        };
    }

    private Move goesOn(String changeId, Watch watch, String text, Moment now) {
        stage = new Proving.Watching(changeId, watch);
        String overdue = watch.overdue(text, now);
        if (overdue != null) {
            if (watch.silentSince() != null) {
                // What is not heard of the change may be seen of the node.
                stage = Proving.Verifying.from(After.UNKNOWN, changeId, now);
            }
            return unknown(overdue, changeId);
        }
        // A refresh may take away what leads to the node.
        return watch.lasts(now)
                ? to(new Proving.Glancing(changeId, watch), new Act.Inspect())
                : act(rest(Pause.CHANGE));
    }

    private Move glanced(Proving.Glancing glancing, Sight sight) {
        String changeId = glancing.changeId();
        Act rest = rest(Pause.CHANGE);
        if (!(sight instanceof Sight.Dark dark)) {
            return to(new Proving.Watching(changeId, glancing.watch()), rest);
        }
        stage = new Proving.Watching(changeId, glancing.watch().away(dark.text()));
        return verification.isMember() ? saying(AttemptStep.API_AWAY, changeId, rest) : act(rest);
    }

    /** Its k8sd is new already: what its kubelet shows now, and its place among those who serve the API, must do. */
    private Move awaits(Proving.Awaiting awaiting, Sight sight) {
        if (sight instanceof Sight.Node node && verification.runsTarget(node, awaiting.changeId())) {
            return succeeded(node, AttemptReport.SuccessProof.AWAITS_PEERS);
        }
        return to(new Proving.Watching(awaiting.changeId(), awaiting.watch()), rest(Pause.CHANGE));
    }

    // The node.

    private Move verify(After after, String changeId, Moment now) {
        return to(Proving.Verifying.from(after, changeId, now), new Act.Inspect());
    }

    private Move verifies(Proving.Verifying verifying, Sight sight, Moment now) {
        if (sight instanceof Sight.Node node && !node.busy()) {
            Proving.Verifying it = verifying.seen();
            return after(it, verification.of(it, node, now), node);
        }
        Proving.Verifying it = verifying.unseen(now);
        String unclear = Verification.unseen(it, sight, now);
        stage = it;
        return unclear == null ? waits(it) : unknown(unclear, it.changeId());
    }

    private Move after(Proving.Verifying verifying, Verdict verdict, Sight.Node node) {
        stage = verifying;
        return switch (verdict) {
            case Verdict.Proven proven -> succeeded(node, proven.how());
            case Verdict.Missed missed -> failed(missed.reason(), missed.text());
            case Verdict.Doubtful doubtful ->
                to(
                        new Proving.Asking(verifying, node),
                        new Act.Poll(verifying.changeId() == null ? NO_CHANGE : verifying.changeId()));
            case Verdict.Open open -> waits(verifying);
            case Verdict.Unclear unclear -> unknown(unclear.text(), verifying.changeId());
        };
    }

    /** A change that nobody heard of for long may be told of again. */
    private Move heard(Proving.Verifying verifying, ChangeSight sight, Moment now) {
        String changeId = verifying.asksFor();
        return changeId == null
                ? nothing()
                : sight instanceof ChangeSight.Silent || sight instanceof ChangeSight.Lost
                        ? act(new Act.Inspect())
                        : polled(changeId, Watch.from(now), sight, now);
    }

    private Move asked(Proving.Asking asking, ChangeSight sight, Moment now) {
        Proving.Verifying verifying = asking.verifying();
        if (sight instanceof ChangeSight.AwaitsPeers) {
            return succeeded(asking.seen(), AttemptReport.SuccessProof.AWAITS_PEERS);
        }
        stage = verifying;
        // One that says nothing may be starting.
        long patience = sight instanceof ChangeSight.Silent ? Limits.READY : Limits.TARGET;
        return now.ticks() - verifying.since() <= patience
                ? waits(verifying)
                : after(verifying, verification.missed(verifying, asking.seen()), asking.seen());
    }

    // What is said.

    /** What the first look does not prove is said to take a while. */
    private Move waits(Proving.Verifying verifying) {
        return saying(AttemptStep.VERIFYING, verifying.changeId(), rest(Pause.PROOF));
    }

    private Move saying(AttemptStep step, @Nullable String changeId, Act then) {
        if (saidUnknown || said == step) {
            return act(then);
        }
        said = step;
        return new Move.Do(List.of(new Act.Say(new AttemptReport.StepReached(step, changeId, verification.remembered())), then));
    }

    /** Said once; what comes of it is waited for all the same. */
    private Move unknown(String text, @Nullable String changeId) {
        if (saidUnknown) {
            return act(rest(Pause.LATE_PROOF));
        }
        saidUnknown = true;
        return new Move.Do(List.of(
                new Act.Say(new AttemptReport.OutcomeUnknown(text, changeId, verification.remembered())),
                rest(Pause.LATE_PROOF)));
    }

    private Act rest(Pause pause) {
        return new Act.Rest(saidUnknown ? Pause.LATE_PROOF : pause);
    }

    private static Move succeeded(Sight.Node node, AttemptReport.SuccessProof how) {
        return new Move.End(new AttemptReport.Succeeded(how, node.revision(), node.version()));
    }

    private static Move failed(FailureReason reason, String text) {
        return new Move.End(new AttemptReport.Failed(FailureClass.RETRYABLE, reason, text));
    }

    private Move to(Proving next, Act act) {
        stage = next;
        return act(act);
    }

    private static Move act(Act act) {
        return new Move.Do(List.of(act));
    }

    private static Move nothing() {
        return new Move.Do(List.of());
    }
}
