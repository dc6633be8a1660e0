package dev.flotilla.core.procedure;

import dev.flotilla.core.procedure.Proving.After;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt, as the owner of its partition drives it. After {@link #begin} it lives on signals; what it wants done is
 * what each returns. Signals that nothing waits for any more change nothing, so that a late answer does no harm.
 */
public final class Procedure {
    private static final String LICENCE_LOST = "the licence was lost before the call";

    private final Caution caution;
    private final long attempt;
    private WorkerCommand command;
    private WorkerCommand.@Nullable UpgradeMachine upgrade;
    private Stage stage = new Stage.Looking(null);
    private @Nullable AttemptStep said;
    private boolean guarded;
    private @Nullable String before;
    private String doubt = "a call may have been made";
    private @Nullable Hindrance hindrance;

    public Procedure(WorkerCommand command, Caution caution) {
        this.command = command;
        this.attempt = command.attemptId();
        this.upgrade = command instanceof WorkerCommand.UpgradeMachine machine ? machine : null;
        this.caution = caution;
    }

    public long attempt() {
        return attempt;
    }

    public boolean isOver() {
        return stage instanceof Stage.Ended;
    }

    /** Whether it may be left as it is: whoever takes it up from what is written knows as much. */
    public boolean isSettled() {
        return stage.isSettled(said == AttemptStep.STARTING);
    }

    /** Goes on from what was said last of this machine, by whomever. */
    public List<Act> begin(@Nullable AttemptProgress last, Moment now) {
        if (last == null || last.attemptId() < attempt) {
            return look(now);
        }
        if (last.attemptId() > attempt) {
            return over();
        }
        return switch (last.report()) {
            case AttemptReport.StepReached stepReached -> resume(stepReached, now);
            case AttemptReport.OutcomeUnknown unknown -> {
                guarded = true;
                before = unknown.revisionBeforeCall();
                yield after(Aftermath.unclear(verification(), unknown, now));
            }
            case AttemptReport.Succeeded done -> over();
            case AttemptReport.Failed done -> over();
            case AttemptReport.Cancelled done -> over();
            case AttemptReport.LeaseExpired done -> over();
            case AttemptReport.Deferred done -> over();
        };
    }

    private List<Act> resume(AttemptReport.StepReached last, Moment now) {
        // Whoever said this may have set guards, and may be gone.
        guarded = last.step() != AttemptStep.PREFLIGHT;
        before = last.revisionBeforeCall();
        String changeId = last.changeId();
        return switch (last.step()) {
            case PREFLIGHT, GUARDING, DRAINING -> look(now);
            // Somebody had a licence, and may have used it.
            case STARTING -> caution.callsOnce() ? verify(After.UNKNOWN, null, now) : look(now);
            case REFRESHING, API_AWAY -> watch(changeId == null ? "" : changeId, now);
            case VERIFYING, UNCORDONING -> verify(changeId == null ? After.UNKNOWN : After.DONE, changeId, now);
        };
    }

    public List<Act> take(Signal signal, Moment now) {
        if (stage instanceof Stage.After after && !(signal instanceof Signal.Commanded)) {
            return switch (after.aftermath().take(signal, now)) {
                case Aftermath.Move.Do more -> more.acts();
                case Aftermath.Move.End end -> end(end.report());
            };
        }
        return switch (signal) {
            case Signal.Commanded commanded -> commanded(commanded.command());
            case Signal.Written written -> written(written.report(), now);
            case Signal.Inspected inspected ->
                stage instanceof Stage.Looking looking ? before(looking, inspected.sight(), now) : List.of();
            case Signal.Reached reached ->
                stage instanceof Stage.Reaching reaching ? reached(reaching, reached.contact(), now) : List.of();
            case Signal.Checked checked -> checked(checked.findings(), now);
            case Signal.Guarded verdict ->
                stage instanceof Stage.Guarding guarding ? guarded(guarding, verdict.forbidden(), now) : List.of();
            case Signal.Drains drains -> stage instanceof Stage.Guarding ? say(AttemptStep.DRAINING) : List.of();
            case Signal.Judged verdict ->
                stage instanceof Stage.Judging judging ? judged(judging, verdict.forbidden(), now) : List.of();
            case Signal.Held held ->
                stage instanceof Stage.Calling calling
                        ? to(new Stage.Judging(calling.licensed()), new Act.Judge())
                        : List.of();
            case Signal.Answered answered ->
                stage instanceof Stage.Calling ? answered(answered.answer(), now) : List.of();
            case Signal.Polled polled -> List.of();
            case Signal.Rested rested -> rested();
            case Signal.Undone undone -> stage instanceof Stage.Undoing undoing ? tell(undoing.end()) : List.of();
            case Signal.SessionEnded ended -> sessionEnded(now);
            case Signal.Leaving leaving -> leaves();
        };
    }

    /** What would be written cannot be for now: nothing is called on it, and what was called is looked after without. */
    private List<Act> sessionEnded(Moment now) {
        return switch (stage) {
            case Stage.Licensing licensing -> end(new AttemptReport.Deferred(LICENCE_LOST));
            case Stage.Judging judging -> end(new AttemptReport.Deferred(LICENCE_LOST));
            case Stage.Noting noting -> begun(noting.changeId(), now);
            default -> List.of();
        };
    }

    /** A licence that was certainly not used is given back: whoever goes on may ask for another. */
    private List<Act> leaves() {
        if (!stage.isBeforeTheCall() || said != AttemptStep.STARTING) {
            return List.of();
        }
        return to(new Stage.Looking(null), saying(AttemptStep.GUARDING, null));
    }

    private List<Act> commanded(WorkerCommand next) {
        command = next;
        if (next instanceof WorkerCommand.UpgradeMachine machine) {
            upgrade = machine;
            return List.of();
        }
        return stage.isBeforeTheCall() && caution.obeysCancel() ? end(new AttemptReport.Cancelled()) : List.of();
    }

    // Before the call.

    private List<Act> look(Moment now) {
        AttemptReport instead = stops(now);
        return instead != null ? end(instead) : to(new Stage.Looking(null), new Act.Inspect());
    }

    /** What is said instead of calling where the command has been taken back or has run out; else null. */
    private @Nullable AttemptReport stops(Moment now) {
        if (command instanceof WorkerCommand.CancelUpgrade && caution.obeysCancel()) {
            return new AttemptReport.Cancelled();
        }
        return upgrade == null || now.ticks() >= caution.commandEnds(upgrade, now) ? new AttemptReport.LeaseExpired() : null;
    }

    private List<Act> before(Stage.Looking looking, Sight sight, Moment now) {
        AttemptReport instead = stops(now);
        if (instead != null) {
            return end(instead);
        }
        return switch (sight) {
            case Sight.Gone gone -> end(new AttemptReport.Deferred("no such machine"));
            case Sight.Dark dark -> dark(looking.darkSince(), dark.text(), now);
            case Sight.Node node -> {
                if (upgrade != null && node.ready() && TargetProof.atTarget(node, upgrade)) {
                    yield end(success(node, AttemptReport.SuccessProof.UNCHANGED));
                }
                if (upgrade != null && caution.looksLive() && TargetProof.goesBack(node, upgrade)) {
                    yield end(new AttemptReport.Deferred("the node shows " + node.version() + ", which is newer than "
                            + upgrade.target() + ", and may not be downgraded"));
                }
                before = node.revision() == null ? "" : node.revision();
                // Not our change: wait until the node is idle, read its revision, then decide.
                yield node.busy() ? waits(null) : to(new Stage.Reaching(looking.darkSince()), new Act.Reach());
            }
        };
    }

    private List<Act> dark(@Nullable Long darkSince, String text, Moment now) {
        long since = darkSince == null ? now.ticks() : darkSince;
        return now.ticks() - since > Limits.DARK
                ? end(new AttemptReport.Failed(FailureClass.RETRYABLE, FailureReason.UNREACHABLE, text))
                : waits(since);
    }

    private List<Act> reached(Stage.Reaching reaching, Contact contact, Moment now) {
        AttemptReport instead = stops(now);
        if (instead != null) {
            return end(instead);
        }
        return switch (contact) {
            case Contact.Made made -> check(false, now);
            case Contact.Missing missing -> dark(reaching.darkSince(), missing.text(), now);
            case Contact.Refused refused ->
                end(new AttemptReport.Failed(refused.failureClass(), refused.reason(), refused.text()));
        };
    }

    private List<Act> waits(@Nullable Long darkSince) {
        stage = new Stage.Looking(darkSince);
        // Whoever takes this over must know of the guards.
        return and(say(guarded ? AttemptStep.GUARDING : AttemptStep.PREFLIGHT), new Act.Rest(Pause.IDLE_NODE));
    }

    /** Before the guards, so that nothing is drained in vain; again after them where that took long. */
    private List<Act> check(boolean isGuarded, Moment now) {
        List<HealthCheck> checks = upgrade == null ? List.of() : upgrade.checks().beforeCall();
        if (!checks.isEmpty()) {
            return to(new Stage.Checking(isGuarded), new Act.Ask(checks));
        }
        return isGuarded ? license(now) : guard(now);
    }

    private List<Act> checked(List<Finding> findings, Moment now) {
        if (stage instanceof Stage.Checking checking) {
            AttemptReport instead = stops(now, Confirmation.forbids(findings));
            return instead != null ? end(instead) : checking.guarded() ? license(now) : guard(now);
        }
        return stage instanceof Stage.Confirming confirming
                ? confirmed(confirming.confirmation(), findings, now)
                : List.of();
    }

    private List<Act> guard(Moment now) {
        guarded = true;
        return to(new Stage.Guarding(now.ticks()), new Act.Guard());
    }

    private List<Act> guarded(Stage.Guarding guarding, @Nullable String forbidden, Moment now) {
        AttemptReport instead = stops(now, forbidden);
        boolean lasted = now.ticks() - guarding.since() > Limits.CHECKED;
        return instead != null ? end(instead) : lasted ? check(true, now) : license(now);
    }

    private @Nullable AttemptReport stops(Moment now, @Nullable String forbidden) {
        AttemptReport instead = stops(now);
        return instead == null && forbidden != null && caution.looksLive() ? new AttemptReport.Deferred(forbidden) : instead;
    }

    private List<Act> license(Moment now) {
        return to(new Stage.Licensing(now.ticks()), saying(AttemptStep.STARTING, null));
    }

    private List<Act> written(AttemptReport report, Moment now) {
        if (!(report instanceof AttemptReport.StepReached stepReached)) {
            return List.of();
        }
        return switch (stage) {
            case Stage.Licensing licensing ->
                stepReached.step() == AttemptStep.STARTING ? to(new Stage.Judging(licensing.since()), new Act.Judge()) : List.of();
            case Stage.Noting noting -> stepReached.step() == AttemptStep.REFRESHING ? begun(noting.changeId(), now) : List.of();
            default -> List.of();
        };
    }

    private List<Act> judged(Stage.Judging judging, @Nullable String forbidden, Moment now) {
        AttemptReport instead = stops(now, forbidden);
        if (instead != null || upgrade == null) {
            return end(instead == null ? new AttemptReport.LeaseExpired() : instead);
        }
        long licensed = judging.licensed();
        if (now.ticks() >= caution.licenceEnds(licensed)) {
            return license(now);
        }
        long before = Math.min(caution.licenceEnds(licensed), caution.commandEnds(upgrade, now));
        return to(new Stage.Calling(licensed), new Act.Call(upgrade.target(), before));
    }

    // From the call on.

    private List<Act> answered(Answer answer, Moment now) {
        return switch (answer) {
            case Answer.Accepted accepted ->
                to(new Stage.Noting(accepted.changeId()), saying(AttemptStep.REFRESHING, accepted.changeId()));
            case Answer.NothingToDo nothing -> verify(After.UNCHANGED, null, now);
            case Answer.Busy busy -> again(FailureReason.NODE_BUSY, busy.text(), now);
            case Answer.NotBegun not -> again(FailureReason.UNREACHABLE, not.text(), now);
            case Answer.Refused refused ->
                end(new AttemptReport.Failed(refused.failureClass(), refused.reason(), refused.text()));
            case Answer.None none -> caution.callsOnce() ? doubts(none.text(), now) : license(now);
        };
    }

    private List<Act> doubts(String why, Moment now) {
        doubt = "the call had no answer (" + why + ")";
        return verify(After.UNKNOWN, null, now);
    }

    /** Certainly nothing was done: a call may follow under another licence, unless this has been so for too long. */
    private List<Act> again(FailureReason reason, String text, Moment now) {
        hindrance = Hindrance.of(hindrance, reason, now);
        AttemptReport overdue = hindrance.overdue(text, now);
        return overdue != null ? end(overdue) : to(new Stage.Looking(null), new Act.Rest(Pause.IDLE_NODE));
    }

    /** It has just begun: to ask at once would tell nothing. */
    private List<Act> begun(String changeId, Moment now) {
        return to(new Stage.After(Aftermath.watching(verification(), changeId, now)), new Act.Rest(Pause.CHANGE));
    }

    private List<Act> watch(String changeId, Moment now) {
        return after(Aftermath.watching(verification(), changeId, now));
    }

    private List<Act> verify(After after, @Nullable String changeId, Moment now) {
        return after(Aftermath.verifying(verification(), after, changeId, now));
    }

    private Verification verification() {
        return new Verification(caution, upgrade, doubt, before);
    }

    private List<Act> after(Aftermath aftermath) {
        stage = new Stage.After(aftermath);
        return aftermath.begin();
    }

    // Ends.

    private static AttemptReport success(Sight.Node node, AttemptReport.SuccessProof how) {
        return new AttemptReport.Succeeded(how, node.revision(), node.version());
    }

    private List<Act> end(AttemptReport report) {
        return report instanceof AttemptReport.Succeeded success && !confirmedBy().isEmpty()
                ? to(new Stage.Confirming(new Confirmation(success, null)), new Act.Ask(confirmedBy()))
                : undo(report);
    }

    private List<Act> confirmed(Confirmation confirmation, List<Finding> findings, Moment now) {
        AttemptReport end = confirmation.end(findings, now);
        return end != null ? undo(end) : to(new Stage.Confirming(confirmation.notYet(now)), new Act.Rest(Pause.PROOF));
    }

    private List<HealthCheck> confirmedBy() {
        return upgrade == null ? List.of() : upgrade.checks().afterCall();
    }

    private List<Act> undo(AttemptReport report) {
        return guarded ? to(new Stage.Undoing(report), new Act.Undo()) : tell(report);
    }

    private List<Act> rested() {
        return switch (stage) {
            case Stage.Looking looking -> List.of(new Act.Inspect());
            case Stage.Confirming confirming -> List.of(new Act.Ask(confirmedBy()));
            default -> List.of();
        };
    }

    private List<Act> tell(AttemptReport report) {
        return to(new Stage.Ended(), new Act.Say(report));
    }

    private List<Act> over() {
        stage = new Stage.Ended();
        return List.of();
    }

    private List<Act> to(Stage next, Act act) {
        stage = next;
        return List.of(act);
    }

    /** Before the call only a step that lasts is worth a record; the same is said once. */
    private List<Act> say(AttemptStep step) {
        return step == said ? List.of() : List.of(saying(step, null));
    }

    private Act saying(AttemptStep step, @Nullable String changeId) {
        said = step;
        return new Act.Say(new AttemptReport.StepReached(
                step, changeId, step.mayHaveCalled() ? verification().remembered() : null));
    }

    private static List<Act> and(List<Act> first, Act then) {
        return first.isEmpty() ? List.of(then) : List.of(first.get(0), then);
    }
}
