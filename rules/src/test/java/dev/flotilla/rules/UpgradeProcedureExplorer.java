package dev.flotilla.rules;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ClockReading;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.core.upgrade.FailedCheck;
import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.core.upgrade.UpgradeInput;
import dev.flotilla.core.upgrade.UpgradeProcedure;
import dev.flotilla.core.upgrade.UpgradeSafeguards;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.CampaignChecks;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Passes every kind of input to the upgrade procedure in every state that it can reach, soon and late. A procedure cannot be
 * copied, so each path runs from its beginning.
 */
final class UpgradeProcedureExplorer {
    private static final MachineKey MACHINE = new MachineKey(new SiteId("north"), "default", "a-cp-0");
    private static final long ATTEMPT = 41;
    private static final long LEASE_EXPIRY = Duration.ofDays(365).toMillis();
    private static final List<Duration> DELAYS =
            List.of(Duration.ofSeconds(1), Duration.ofMinutes(2), Duration.ofMinutes(65));
    private static final HealthCheck CHECK =
            new HealthCheck("ready", new HealthCheck.PromQlProbe("up", "== 1"), true, Duration.ofMinutes(1), List.of());

    /** Observes one input. */
    interface TransitionListener {
        /**
         * @param before the state before, null before the beginning
         * @param cause what led to the state after: the kind of the input, or the report that ends the attempt
         */
        void onInput(@Nullable List<String> before, List<String> after, String cause);
    }

    /** The beginning of an attempt. */
    private record Beginning(
            WorkerCommand command, @Nullable AttemptReport last) {}

    private record TimedInput(UpgradeInput input, Duration delay) {}

    private record Path(Beginning beginning, List<TimedInput> inputs) {
        Path then(TimedInput next) {
            List<TimedInput> longer = new ArrayList<>(inputs);
            longer.add(next);
            return new Path(beginning, longer);
        }
    }

    private final TransitionListener listener;
    private final Set<String> visited = new HashSet<>();
    private final Deque<Path> open = new ArrayDeque<>();

    private UpgradeProcedureExplorer(TransitionListener listener) {
        this.listener = listener;
    }

    static void explore(TransitionListener listener) {
        UpgradeProcedureExplorer explorer = new UpgradeProcedureExplorer(listener);
        beginnings().forEach(beginning -> explorer.visit(new Path(beginning, List.of())));
        while (!explorer.open.isEmpty()) {
            explorer.expand(explorer.open.removeFirst());
        }
    }

    private void expand(Path path) {
        for (UpgradeInput input : inputs(path)) {
            for (Duration delay : DELAYS) {
                visit(path.then(new TimedInput(input, delay)));
            }
        }
    }

    /** Runs a path, reports its last input, and keeps it if its state is new. */
    private void visit(Path path) {
        Run run = new Run(path.beginning());
        List<String> before = null;
        for (TimedInput next : path.inputs()) {
            before = run.states();
            run.handle(next);
        }
        listener.onInput(before, run.states(), run.cause());
        if (!run.isOver() && visited.add(run.fingerprint())) {
            open.add(path);
        }
    }

    private static Stream<Beginning> beginnings() {
        List<AttemptReport> reports = new ArrayList<>(List.of(
                new AttemptReport.OutcomeUnknown("no answer"),
                new AttemptReport.OutcomeUnknown("no answer", "7", null),
                new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "3100", "v1.33.0")));
        for (AttemptStep step : AttemptStep.values()) {
            reports.add(new AttemptReport.StepReached(step, null));
            if (step.compareTo(AttemptStep.REFRESHING) >= 0) {
                reports.add(new AttemptReport.StepReached(step, "7"));
            }
        }
        CampaignChecks checks = new CampaignChecks(null, List.of(CHECK), List.of(CHECK));
        return Stream.of(
                        command(MachineRole.WORKER, CampaignChecks.NONE),
                        command(MachineRole.CONTROL_PLANE, CampaignChecks.NONE),
                        command(MachineRole.CONTROL_PLANE, checks),
                        command(MachineRole.WORKER, CampaignChecks.NONE)
                                .withTarget(new UpgradeTarget.KubernetesRelease("v1.33.0"))
                                .withNodeUpgrade(new NodeUpgradeTemplateRef(
                                        "flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "kubeadm")),
                        cancel())
                .flatMap(command -> Stream.concat(
                        Stream.of(new Beginning(command, null)),
                        reports.stream().map(last -> new Beginning(command, last))));
    }

    private static List<UpgradeInput> inputs(Path path) {
        List<UpgradeInput> inputs = new ArrayList<>(List.of(
                new UpgradeInput.CommandChanged(cancel()),
                new UpgradeInput.GuardsSet(null),
                new UpgradeInput.GuardsSet("held by a person"),
                new UpgradeInput.DrainStarted(),
                new UpgradeInput.PreconditionsChecked(null),
                new UpgradeInput.PreconditionsChecked("a member is not ready"),
                new UpgradeInput.ChecksRun(List.of()),
                new UpgradeInput.ChecksRun(List.of(new FailedCheck(CHECK, "0"))),
                new UpgradeInput.WaitElapsed(),
                new UpgradeInput.CleanedUp(),
                new UpgradeInput.SessionEnded(),
                new UpgradeInput.HandingOver()));
        if (path.beginning().command() instanceof WorkerCommand.UpgradeMachine machine) {
            inputs.add(new UpgradeInput.CommandChanged(machine.withLeaseUntil(Instant.EPOCH)));
        }
        for (AttemptStep step : List.of(AttemptStep.STARTING, AttemptStep.REFRESHING)) {
            inputs.add(new UpgradeInput.ReportCommitted(new AttemptReport.StepReached(step, null)));
        }
        Stream.of(
                        new NodeInspection.MachineGone(),
                        new NodeInspection.Unreachable("timeout"),
                        node("3000", "v1.32.0", true, false, null),
                        node("3000", "v1.32.0", true, true, null),
                        node("3100", "v1.33.0", true, false, null),
                        node("3100", "v1.33.0", true, false, "a-cp-1"),
                        node("3100", "v1.33.0", false, false, null),
                        node(null, "v1.33.0", true, false, null),
                        node("3200", "v1.34.0", true, false, null))
                .map(UpgradeInput.NodeInspected::new)
                .forEach(inputs::add);
        Stream.of(
                        new ConnectResult.Connected(),
                        new ConnectResult.NotReachable("timeout"),
                        new ConnectResult.NotConfigured("no template"),
                        new ConnectResult.ConnectionRefused(
                                FailureClass.TERMINAL, FailureReason.REFRESH_REJECTED, "403"))
                .map(UpgradeInput.ConnectAttempted::new)
                .forEach(inputs::add);
        Stream.of(
                        new CallResult.ChangeStarted("7"),
                        new CallResult.NothingToDo(),
                        new CallResult.NodeBusy("busy"),
                        new CallResult.NotSent("refused"),
                        new CallResult.CallRejected(FailureClass.TERMINAL, FailureReason.REFRESH_REJECTED, "400"),
                        new CallResult.NoAnswer("cut off"))
                .map(UpgradeInput.CallReturned::new)
                .forEach(inputs::add);
        Stream.of(
                        new ChangeStatus.InProgress("Doing"),
                        new ChangeStatus.Blocked("Wait"),
                        new ChangeStatus.StatusUnavailable("timeout"),
                        new ChangeStatus.AwaitsPeers("503"),
                        new ChangeStatus.ChangeDone(),
                        new ChangeStatus.ChangeForgotten(),
                        new ChangeStatus.ChangeFailed("no space left"))
                .map(UpgradeInput.ChangePolled::new)
                .forEach(inputs::add);
        return inputs;
    }

    private static NodeInspection node(
            @Nullable String revision, String version, boolean ready, boolean busy, @Nullable String silentPeer) {
        return new NodeInspection.ObservedNode(revision, version, ready, busy, silentPeer);
    }

    private static WorkerCommand.UpgradeMachine command(MachineRole role, CampaignChecks checks) {
        return new WorkerCommand.UpgradeMachine(
                        MACHINE,
                        "uid",
                        ATTEMPT,
                        role,
                        new UpgradeTarget.Revision("3100"),
                        "v1.33.0",
                        null,
                        1,
                        Instant.ofEpochMilli(LEASE_EXPIRY),
                        checks,
                        null,
                        null,
                        null)
                .withoutDowngrade();
    }

    private static WorkerCommand cancel() {
        return new WorkerCommand.CancelUpgrade(MACHINE, "uid", ATTEMPT, "paused");
    }

    /** One run of a procedure with its clock. */
    private static final class Run {
        private final UpgradeProcedure procedure;
        private List<UpgradeAction> actions;
        private String input;
        private long now;

        Run(Beginning beginning) {
            AttemptReport last = beginning.last();
            this.procedure = new UpgradeProcedure(beginning.command(), UpgradeSafeguards.ALL);
            this.input = last == null
                    ? "no report"
                    : last instanceof AttemptReport.StepReached stepReached
                            ? stepReached.step().label()
                            : last.getClass().getSimpleName();
            this.actions = procedure.begin(
                    last == null ? null : new AttemptProgress(MACHINE, "uid", ATTEMPT, last, Instant.EPOCH),
                    new ClockReading(now, now));
        }

        void handle(TimedInput next) {
            now += next.delay().toMillis();
            input = SealedStates.variantName(next.input());
            actions = procedure.handle(next.input(), new ClockReading(now, now));
        }

        /** The names of the state and of the states within it. */
        List<String> states() {
            return SealedStates.names(procedure);
        }

        /** A report that ends the attempt tells more than the input that led to it. */
        String cause() {
            String report = SealedStates.reportName(procedure);
            return report != null
                    ? report
                    : actions.stream()
                            .filter(action -> action instanceof UpgradeAction.WriteReport)
                            .map(action -> ((UpgradeAction.WriteReport) action).report())
                            .filter(written -> procedure.isOver())
                            .map(written -> written.getClass().getSimpleName())
                            .findFirst()
                            .orElse(input);
        }

        boolean isOver() {
            return procedure.isOver();
        }

        String fingerprint() {
            return SealedStates.fingerprint(procedure);
        }
    }
}
