package dev.flotilla.core.procedure;

import dev.flotilla.core.procedure.Stage.After;
import dev.flotilla.schemas.row.Check;
import dev.flotilla.schemas.row.Command;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.Progress;
import dev.flotilla.schemas.row.Report;
import dev.flotilla.schemas.row.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt, as the owner of its partition drives it. After {@link #begin} it lives on signals; what it wants done is
 * what each returns. Signals that nothing waits for any more change nothing, so that a late answer does no harm.
 */
public final class Procedure {
    private final Caution caution;
    private final long attempt;
    private Command command;
    private Command.@Nullable UpgradeMachine upgrade;
    private Stage stage = new Stage.Looking(null);
    private @Nullable Step said;
    private boolean saidUnknown;
    private boolean guarded;

    public Procedure(Command command, Caution caution) {
        this.command = command;
        this.attempt = command.attempt();
        this.upgrade = command instanceof Command.UpgradeMachine machine ? machine : null;
        this.caution = caution;
    }

    public long attempt() {
        return attempt;
    }

    public boolean isOver() {
        return stage instanceof Stage.Ended;
    }

    /** Goes on from what was said last of this machine, by whomever. */
    public List<Act> begin(@Nullable Progress last, Moment now) {
        if (last == null || last.attempt() < attempt) {
            return look(now);
        }
        if (last.attempt() > attempt) {
            return over();
        }
        return switch (last.report()) {
            case Report.Stepped stepped -> resume(stepped, now);
            case Report.OutcomeUnknown unknown -> verify(After.UNKNOWN, null, now);
            case Report.Succeeded done -> over();
            case Report.Failed done -> over();
            case Report.Cancelled done -> over();
            case Report.Expired done -> over();
            case Report.NotNow done -> over();
        };
    }

    private List<Act> resume(Report.Stepped last, Moment now) {
        // Whoever said this may have set guards, and may be gone.
        guarded = last.step() != Step.PREFLIGHT;
        String changeId = last.changeId();
        return switch (last.step()) {
            case PREFLIGHT, GUARDING, DRAINING -> look(now);
            // Somebody had a licence, and may have used it.
            case STARTING -> caution.callsOnce() ? verify(After.UNKNOWN, null, now) : look(now);
            case REFRESHING -> watch(changeId == null ? "" : changeId);
            case VERIFYING, UNCORDONING -> verify(changeId == null ? After.UNKNOWN : After.DONE, changeId, now);
        };
    }

    public List<Act> take(Signal signal, Moment now) {
        return switch (signal) {
            case Signal.Commanded commanded -> commanded(commanded.command());
            case Signal.Written written -> written(written.report());
            case Signal.Inspected inspected -> inspected(inspected.sight(), now);
            case Signal.Reached reached ->
                stage instanceof Stage.Reaching reaching ? reached(reaching, reached.contact(), now) : List.of();
            case Signal.Checked checked -> checked(checked.findings(), now);
            case Signal.Guarded verdict ->
                stage instanceof Stage.Guarding guarding ? guarded(guarding, verdict.forbidden(), now) : List.of();
            case Signal.Lasts lasts -> stage instanceof Stage.Guarding ? say(Step.GUARDING) : List.of();
            case Signal.Judged verdict ->
                stage instanceof Stage.Judging judging ? judged(judging, verdict.forbidden(), now) : List.of();
            case Signal.Held held ->
                stage instanceof Stage.Calling calling
                        ? to(new Stage.Judging(calling.licensed()), new Act.Judge())
                        : List.of();
            case Signal.Answered answered ->
                stage instanceof Stage.Calling ? answered(answered.answer(), now) : List.of();
            case Signal.Polled polled ->
                stage instanceof Stage.Refreshing refreshing
                        ? polled(refreshing.changeId(), polled.sight(), now)
                        : List.of();
            case Signal.Rested rested -> rested();
            case Signal.Undone undone -> stage instanceof Stage.Undoing undoing ? tell(undoing.end()) : List.of();
            case Signal.SessionEnded ended ->
                stage instanceof Stage.Licensing || stage instanceof Stage.Judging
                        ? end(new Report.NotNow("the licence was lost before the call"))
                        : List.of();
        };
    }

    private List<Act> commanded(Command next) {
        command = next;
        if (next instanceof Command.UpgradeMachine machine) {
            upgrade = machine;
            return List.of();
        }
        return stage.mayStillCancel() && caution.obeysCancel() ? end(new Report.Cancelled()) : List.of();
    }

    // Before the call.

    private List<Act> look(Moment now) {
        Report instead = stops(now);
        return instead != null ? end(instead) : to(new Stage.Looking(null), new Act.Inspect());
    }

    /** What is said instead of calling where the command has been taken back or has run out; else null. */
    private @Nullable Report stops(Moment now) {
        if (command instanceof Command.CancelUpgrade && caution.obeysCancel()) {
            return new Report.Cancelled();
        }
        return upgrade == null || now.ticks() >= caution.commandEnds(upgrade, now) ? new Report.Expired() : null;
    }

    private List<Act> inspected(Sight sight, Moment now) {
        return switch (stage) {
            case Stage.Looking looking -> before(looking, sight, now);
            case Stage.Verifying verifying -> after(verifying, sight, now);
            default -> List.of();
        };
    }

    private List<Act> before(Stage.Looking looking, Sight sight, Moment now) {
        Report instead = stops(now);
        if (instead != null) {
            return end(instead);
        }
        return switch (sight) {
            case Sight.Gone gone -> end(new Report.NotNow("no such machine"));
            case Sight.Dark dark -> dark(looking.darkSince(), dark.text(), now);
            case Sight.Node node -> {
                if (upgrade != null && node.ready() && TargetProof.atTarget(node, upgrade)) {
                    yield end(success(node, Report.Proof.UNCHANGED));
                }
                // Not our change: wait until the node is idle, read its revision, then decide.
                yield node.busy() ? waits(null) : to(new Stage.Reaching(looking.darkSince()), new Act.Reach());
            }
        };
    }

    private List<Act> dark(@Nullable Long darkSince, String text, Moment now) {
        long since = darkSince == null ? now.ticks() : darkSince;
        return now.ticks() - since > Limits.DARK
                ? end(new Report.Failed(FailureClass.RETRYABLE, FailureReason.UNREACHABLE, text))
                : waits(since);
    }

    private List<Act> reached(Stage.Reaching reaching, Contact contact, Moment now) {
        Report instead = stops(now);
        if (instead != null) {
            return end(instead);
        }
        return switch (contact) {
            case Contact.Made made -> check(false, now);
            case Contact.Missing missing -> dark(reaching.darkSince(), missing.text(), now);
            case Contact.Refused refused ->
                end(new Report.Failed(refused.failureClass(), refused.reason(), refused.text()));
        };
    }

    private List<Act> waits(@Nullable Long darkSince) {
        stage = new Stage.Looking(darkSince);
        // Whoever takes this over must know of the guards.
        return and(say(guarded ? Step.GUARDING : Step.PREFLIGHT), new Act.Rest(Pause.IDLE_NODE));
    }

    /** Before the guards, so that nothing is drained in vain; again after them where that took long. */
    private List<Act> check(boolean isGuarded, Moment now) {
        List<Check> checks = upgrade == null ? List.of() : upgrade.checks().before();
        if (!checks.isEmpty()) {
            return to(new Stage.Checking(isGuarded), new Act.Ask(checks));
        }
        return isGuarded ? license(now) : guard(now);
    }

    private List<Act> checked(List<Finding> findings, Moment now) {
        if (stage instanceof Stage.Checking checking) {
            Report instead = stops(now, Confirmation.forbids(findings));
            return instead != null ? end(instead) : checking.guarded() ? license(now) : guard(now);
        }
        return stage instanceof Stage.Confirming confirming
                ? confirmed(confirming.confirmation(), findings, now)
                : List.of();
    }

    private List<Act> confirmed(Confirmation confirmation, List<Finding> findings, Moment now) {
        Report end = confirmation.end(findings, now);
        return end != null ? undo(end) : to(new Stage.Confirming(confirmation.notYet(now)), new Act.Rest(Pause.PROOF));
    }

    private List<Act> guard(Moment now) {
        guarded = true;
        return to(new Stage.Guarding(now.ticks()), new Act.Guard());
    }

    private List<Act> guarded(Stage.Guarding guarding, @Nullable String forbidden, Moment now) {
        Report instead = stops(now, forbidden);
        boolean lasted = now.ticks() - guarding.since() > Limits.CHECKED;
        return instead != null ? end(instead) : lasted ? check(true, now) : license(now);
    }

    private @Nullable Report stops(Moment now, @Nullable String forbidden) {
        Report instead = stops(now);
        return instead == null && forbidden != null && caution.looksLive() ? new Report.NotNow(forbidden) : instead;
    }

    private List<Act> license(Moment now) {
        return to(new Stage.Licensing(now.ticks()), saying(Step.STARTING, null));
    }

    private List<Act> written(Report report) {
        if (!(report instanceof Report.Stepped stepped)) {
            return List.of();
        }
        return switch (stage) {
            case Stage.Licensing licensing ->
                stepped.step() == Step.STARTING ? to(new Stage.Judging(licensing.since()), new Act.Judge()) : List.of();
            // It has just begun: to ask at once would tell nothing.
            case Stage.Noting noting ->
                stepped.step() == Step.REFRESHING
                        ? to(new Stage.Refreshing(noting.changeId()), new Act.Rest(Pause.CHANGE))
                        : List.of();
            default -> List.of();
        };
    }

    private List<Act> judged(Stage.Judging judging, @Nullable String forbidden, Moment now) {
        Report instead = stops(now, forbidden);
        if (instead != null || upgrade == null) {
            return end(instead == null ? new Report.Expired() : instead);
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
                to(new Stage.Noting(accepted.changeId()), saying(Step.REFRESHING, accepted.changeId()));
            case Answer.NothingToDo nothing -> verify(After.UNCHANGED, null, now);
            case Answer.NotBegun not -> to(new Stage.Looking(null), new Act.Rest(Pause.IDLE_NODE));
            case Answer.Refused refused ->
                end(new Report.Failed(refused.failureClass(), refused.reason(), refused.text()));
            case Answer.None none -> caution.callsOnce() ? verify(After.UNKNOWN, null, now) : license(now);
        };
    }

    private List<Act> watch(String changeId) {
        return to(new Stage.Refreshing(changeId), new Act.Poll(changeId));
    }

    private List<Act> polled(String changeId, ChangeSight sight, Moment now) {
        return switch (sight) {
            case ChangeSight.GoesOn on -> List.of(new Act.Rest(Pause.CHANGE));
            case ChangeSight.Done done -> verify(After.DONE, changeId, now);
            case ChangeSight.Lost lost -> verify(After.LOST, changeId, now);
            case ChangeSight.Failed failed ->
                end(new Report.Failed(FailureClass.RETRYABLE, FailureReason.REFRESH_ERROR, failed.text()));
        };
    }

    private List<Act> verify(After after, @Nullable String changeId, Moment now) {
        return to(new Stage.Verifying(after, changeId, now.ticks()), new Act.Inspect());
    }

    private List<Act> after(Stage.Verifying verifying, Sight sight, Moment now) {
        if (!(sight instanceof Sight.Node node) || node.busy()) {
            // Nothing can be told, and the clock of patience does not run.
            return goesOn(verifying.since(now.ticks()));
        }
        if (upgrade != null && proves(verifying, node, upgrade)) {
            return end(success(
                    node, verifying.after() == After.UNCHANGED ? Report.Proof.UNCHANGED : Report.Proof.UPGRADED));
        }
        long waited = now.ticks() - verifying.since();
        boolean known = verifying.after() != After.UNKNOWN;
        if (known && !node.ready() && waited > Limits.READY) {
            return end(new Report.Failed(
                    FailureClass.RETRYABLE, FailureReason.NODE_NOT_READY, "not Ready long after the change"));
        }
        if (!node.ready() || waited <= Limits.TARGET) {
            return goesOn(verifying);
        }
        if (known && upgrade != null) {
            return end(new Report.Failed(
                    FailureClass.RETRYABLE,
                    verifying.after() == After.LOST ? FailureReason.CHANGE_LOST : FailureReason.NOT_AT_TARGET,
                    "change " + verifying.changeId() + " is over, the node shows " + node.revision()));
        }
        return unknown(node);
    }

    private boolean proves(Stage.Verifying verifying, Sight.Node node, Command.UpgradeMachine target) {
        return switch (verifying.after()) {
            case DONE -> !caution.asksForProof() || (node.ready() && TargetProof.atTargetAfterChange(node, target));
            case UNCHANGED -> node.ready() && TargetProof.atTargetAfterChange(node, target);
            case LOST, UNKNOWN -> node.ready() && TargetProof.atTarget(node, target);
        };
    }

    private List<Act> unknown(Sight.Node node) {
        Act rest = new Act.Rest(Pause.LATE_PROOF);
        if (saidUnknown) {
            return List.of(rest);
        }
        saidUnknown = true;
        return List.of(
                new Act.Say(new Report.OutcomeUnknown("a call may have been made, the node shows " + node.revision())),
                rest);
    }

    /** What the first look does not prove is said to take a while. */
    private List<Act> goesOn(Stage.Verifying verifying) {
        stage = verifying;
        if (saidUnknown) {
            return List.of(new Act.Rest(Pause.LATE_PROOF));
        }
        Act rest = new Act.Rest(Pause.PROOF);
        if (said == Step.VERIFYING) {
            return List.of(rest);
        }
        return List.of(saying(Step.VERIFYING, verifying.changeId()), rest);
    }

    private List<Act> rested() {
        return switch (stage) {
            case Stage.Looking looking -> List.of(new Act.Inspect());
            case Stage.Verifying verifying -> List.of(new Act.Inspect());
            case Stage.Refreshing refreshing -> List.of(new Act.Poll(refreshing.changeId()));
            case Stage.Confirming confirming -> List.of(new Act.Ask(confirmedBy()));
            default -> List.of();
        };
    }

    // Ends.

    private static Report success(Sight.Node node, Report.Proof how) {
        return new Report.Succeeded(how, node.revision(), node.version());
    }

    private List<Act> end(Report report) {
        return report instanceof Report.Succeeded success && !confirmedBy().isEmpty()
                ? to(new Stage.Confirming(new Confirmation(success, null)), new Act.Ask(confirmedBy()))
                : undo(report);
    }

    private List<Check> confirmedBy() {
        return upgrade == null ? List.of() : upgrade.checks().after();
    }

    private List<Act> undo(Report report) {
        return guarded ? to(new Stage.Undoing(report), new Act.Undo()) : tell(report);
    }

    private List<Act> tell(Report report) {
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
    private List<Act> say(Step step) {
        return step == said ? List.of() : List.of(saying(step, null));
    }

    private Act saying(Step step, @Nullable String changeId) {
        said = step;
        return new Act.Say(new Report.Stepped(step, changeId));
    }

    private static List<Act> and(List<Act> first, Act then) {
        return first.isEmpty() ? List.of(then) : List.of(first.get(0), then);
    }
}
