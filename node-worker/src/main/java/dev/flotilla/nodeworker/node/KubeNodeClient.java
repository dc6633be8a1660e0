package dev.flotilla.nodeworker.node;

import dev.flotilla.core.procedure.FailedCheck;
import dev.flotilla.core.procedure.NodeInspection;
import dev.flotilla.kube.ForbiddenAddresses;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeworker.checks.ClusterApiQueries;
import dev.flotilla.nodeworker.k8sd.CertificatePin;
import dev.flotilla.nodeworker.management.AttemptAnnotation;
import dev.flotilla.nodeworker.management.GuardAnnotationWriter;
import dev.flotilla.nodeworker.management.MachinePreconditions;
import dev.flotilla.nodeworker.node.NodeLocator.LocateResult;
import dev.flotilla.nodeworker.node.NodeLocator.NodeReference;
import dev.flotilla.nodeworker.workload.NodeCordoner;
import dev.flotilla.nodeworker.workload.NodeInspector;
import dev.flotilla.nodeworker.workload.NodeSnapshot;
import dev.flotilla.nodeworker.workload.WorkloadClusterClient;
import dev.flotilla.nodeworker.workload.WorkloadClusterPool.BorrowResult;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.HealthCheck;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Hands that reach through two API servers. What is remembered is what saves a read; all of it can be read again. */
final class KubeNodeClient implements NodeClient {
    private final SiteClusters siteClusters;
    private final SerialTaskExecutor serialTaskExecutor;
    private final UpgradeAttemptParameters upgradeAttemptParameters;
    private final UpgradePreconditions upgradePreconditions;
    private final NodeLocator nodeLocator;
    private final K8sdRouteResolver k8sdRouteResolver;

    private volatile CountDownLatch halt = new CountDownLatch(1);
    /** The node as it was seen last before the change; null where nobody remembers. */
    private @Nullable NodeSnapshot before;

    private @Nullable AttemptAnnotation guardMark;
    private @Nullable AttemptAnnotation cordonMark;
    /** Whether an earlier owner of the attempt may have left something that is not remembered here. */
    private boolean resumed;

    /** Whether there may be guards of this attempt. */
    private boolean mayBeGuarded = true;

    private boolean cordonIsKnown;

    KubeNodeClient(
            SiteClusters siteClusters,
            SerialTaskExecutor serialTaskExecutor,
            UpgradeAttemptParameters upgradeAttemptParameters) {
        this.siteClusters = siteClusters;
        this.serialTaskExecutor = serialTaskExecutor;
        this.upgradeAttemptParameters = upgradeAttemptParameters;
        this.upgradePreconditions = new UpgradePreconditions(siteClusters, upgradeAttemptParameters);
        this.nodeLocator = new NodeLocator(siteClusters, upgradeAttemptParameters);
        this.k8sdRouteResolver = new K8sdRouteResolver(siteClusters, upgradeAttemptParameters);
    }

    @Override
    public Future<NodeInspection> inspectNode(@Nullable Instant changedAt) {
        return serialTaskExecutor.submit(
                () -> switch (changedAt == null ? nodeLocator.locate() : nodeLocator.locateCached()) {
                    case LocateResult.NoSuchMachine noSuchMachine -> new NodeInspection.MachineGone();
                    case LocateResult.LocateFailed locateFailed ->
                        new NodeInspection.Unreachable(locateFailed.reason());
                    case LocateResult.NodeLocated nodeLocated -> look(nodeLocated.reference(), changedAt);
                });
    }

    private NodeInspection look(NodeReference it, @Nullable Instant changedAt) {
        NodeInspector.InspectedNode inspectedNode = siteClusters.clusters.queryCluster(
                it.cluster(),
                api -> new NodeInspector(new WorkloadClusterClient(api))
                        .inspectNode(
                                it.node(),
                                upgradeAttemptParameters.role(),
                                changedAt,
                                before,
                                siteClusters.clock.instant()),
                why -> new NodeInspector.InspectedNode(new NodeInspection.Unreachable(why), null, false));
        if (inspectedNode.snapshot() != null) {
            before = changedAt == null ? inspectedNode.snapshot() : before;
            nodeLocator.address(it, inspectedNode.snapshot().internalIp());
        }
        // A Node that is gone may be that of a machine that is gone.
        return inspectedNode.missing() && nodeLocator.locate() instanceof LocateResult.NoSuchMachine
                ? new NodeInspection.MachineGone()
                : inspectedNode.inspection();
    }

    @Override
    public Future<List<FailedCheck>> runChecks(List<HealthCheck> checks) {
        return serialTaskExecutor.submit(() -> switch (nodeLocator.locateCached()) {
            case LocateResult.NoSuchMachine noSuchMachine -> all(checks, "no such machine");
            case LocateResult.LocateFailed locateFailed -> all(checks, locateFailed.reason());
            case LocateResult.NodeLocated nodeLocated ->
                siteClusters.prober.runChecks(
                        checks, name -> name(nodeLocated.reference(), name), clusters(nodeLocated.reference()));
        });
    }

    private static List<FailedCheck> all(List<HealthCheck> checks, String text) {
        return checks.stream().map(check -> new FailedCheck(check, text)).toList();
    }

    private String name(NodeReference it, String placeholder) {
        return switch (placeholder) {
            case "site" -> upgradeAttemptParameters.key().site().name();
            case "namespace" -> upgradeAttemptParameters.key().namespace();
            case "cluster" -> it.cluster().name();
            case "machine" -> upgradeAttemptParameters.key().name();
            default -> it.node();
        };
    }

    private ClusterApiQueries clusters(NodeReference it) {
        return new ClusterApiQueries() {
            @Override
            public @Nullable String queryManagementCluster(Function<KubeApiClient, @Nullable String> question) {
                return question.apply(siteClusters.management);
            }

            @Override
            public @Nullable String queryWorkloadCluster(Function<KubeApiClient, @Nullable String> question) {
                return siteClusters.clusters.<@Nullable String>queryCluster(it.cluster(), question, why -> why);
            }
        };
    }

    @Override
    public Future<@Nullable String> setGuards(Instant drainUntil, Runnable drains) {
        CountDownLatch mine = new CountDownLatch(1);
        halt = mine;
        return serialTaskExecutor.submit(() -> switch (nodeLocator.locateCached()) {
            case LocateResult.NoSuchMachine noSuchMachine -> "no such machine";
            case LocateResult.LocateFailed locateFailed -> locateFailed.reason();
            case LocateResult.NodeLocated nodeLocated -> guarded(nodeLocated.reference(), drainUntil, mine, drains);
        });
    }

    private @Nullable String guarded(NodeReference it, Instant drainUntil, CountDownLatch mine, Runnable drains)
            throws InterruptedException {
        cordonIsKnown = !resumed;
        String ownChangeId = MachinePreconditions.ownChangeId(it.machine());
        // A machine that waits for long is tried again and again: each write would wake every controller that watches
        // it.
        String before = AttemptAnnotation.onMachine(it.machine()) == null
                ? upgradePreconditions.checkBeforeGuards(
                        it.machine(), it.cluster(), it.node(), ownChangeId, ask(it.cluster()))
                : null;
        if (before != null) {
            mayBeGuarded = resumed;
            return before;
        }
        mayBeGuarded = true;
        return switch (siteClusters.guards.setGuards(
                upgradeAttemptParameters.key(),
                it.machine(),
                upgradeAttemptParameters.attemptId(),
                upgradeAttemptParameters.owner())) {
            case GuardAnnotationWriter.GuardResult.GuardsNotWritten guardsNotWritten -> guardsNotWritten.reason();
            case GuardAnnotationWriter.GuardResult.GuardsWritten guardsWritten -> {
                guardMark = guardsWritten.mark();
                nodeLocator.machine(it, guardsWritten.machine());
                String problem =
                        upgradePreconditions.checkAfterGuards(guardsWritten.machine(), it.cluster(), ownChangeId);
                yield problem == null ? emptied(guardsWritten.machine(), it, drainUntil, mine, drains) : problem;
            }
        };
    }

    private @Nullable String emptied(
            KubeObject machine, NodeReference it, Instant drainUntil, CountDownLatch mine, Runnable drains)
            throws InterruptedException {
        long left = siteClusters.clock.instant().until(drainUntil, ChronoUnit.NANOS);
        try (BorrowResult borrowResult = siteClusters.clusters.borrow(it.cluster())) {
            if (!(borrowResult instanceof BorrowResult.BorrowedConnection borrowedConnection)) {
                return ((BorrowResult.ClusterUnavailable) borrowResult).reason();
            }
            CordonAndDrain cordonAndDrain =
                    new CordonAndDrain(siteClusters, borrowedConnection.api(), upgradeAttemptParameters, it.node());
            if (!cordonAndDrain.isRequired(machine)) {
                return cordonAndDrain.problem();
            }
            cordonIsKnown = false;
            NodeCordoner.CordonResult cordonResult = cordonAndDrain.cordon();
            cordonMark = cordonResult instanceof NodeCordoner.CordonResult.CordonedByAttempt cordonedByAttempt
                    ? cordonedByAttempt.mark()
                    : null;
            cordonIsKnown = !(cordonResult instanceof NodeCordoner.CordonResult.CordonFailed);
            return cordonResult instanceof NodeCordoner.CordonResult.CordonFailed cordonFailed
                    ? cordonFailed.reason()
                    : cordonAndDrain.drainNode(
                            machine, it.cluster(), siteClusters.ticks.getAsLong() + left, mine, drains);
        }
    }

    @Override
    public Future<@Nullable String> checkPreconditions() {
        return serialTaskExecutor.submit(() -> switch (nodeLocator.locateCached()) {
            case LocateResult.NoSuchMachine noSuchMachine -> "no such machine";
            case LocateResult.LocateFailed locateFailed -> locateFailed.reason();
            case LocateResult.NodeLocated nodeLocated ->
                upgradePreconditions.checkBeforeCall(
                        nodeLocated.reference().cluster(),
                        nodeLocated.reference().node(),
                        ask(nodeLocated.reference().cluster()));
        });
    }

    private UpgradePreconditions.WorkloadQuery ask(ClusterKey cluster) {
        return workloadCheck -> siteClusters.clusters.<@Nullable String>queryCluster(
                cluster, api -> workloadCheck.findProblem(api), why -> why);
    }

    @Override
    public Future<K8sdRoute> findRoute() {
        // It is asked for with each question to the node: what is known needs nobody who may wait.
        NodeReference it = serialTaskExecutor.isIdle() ? nodeLocator.cachedReference() : null;
        K8sdRoute known = it == null ? null : k8sdRouteResolver.cachedRoute(it);
        return known != null ? Future.succeededFuture(known) : found();
    }

    private Future<K8sdRoute> found() {
        return serialTaskExecutor.submit(() -> switch (nodeLocator.locateCached()) {
            case LocateResult.NoSuchMachine noSuchMachine -> new K8sdRoute.NoRoute("no such machine");
            case LocateResult.LocateFailed locateFailed -> new K8sdRoute.NoRoute(locateFailed.reason());
            case LocateResult.NodeLocated nodeLocated -> way(nodeLocated.reference());
        });
    }

    private K8sdRoute way(NodeReference it) {
        if (it.address() == null) {
            look(it, null);
        }
        String address = nodeLocator.address();
        if (address == null) {
            return new K8sdRoute.NoRoute("node " + it.node() + " has no InternalIP");
        }
        String unfit = ForbiddenAddresses.problemOfNode(address, siteClusters.testBed);
        if (unfit != null) {
            return new K8sdRoute.NoRoute(
                    "node " + it.node() + " says that its InternalIP is " + address + ", which " + unfit);
        }
        return k8sdRouteResolver.resolveRoute(it, address);
    }

    @Override
    public void invalidateCredentials() {
        ClusterKey cluster = nodeLocator.cluster();
        if (cluster != null) {
            siteClusters.tokens.invalidateTokens(cluster);
            siteClusters.pins.invalidatePins(cluster);
        }
        k8sdRouteResolver.mayListenElsewhere();
    }

    @Override
    public boolean retryOtherPort() {
        return k8sdRouteResolver.mayListenElsewhere();
    }

    @Override
    public Future<@Nullable String> pinCertificate(CertificatePin shown) {
        return serialTaskExecutor.submit(() -> switch (nodeLocator.locateCached()) {
            case LocateResult.NoSuchMachine noSuchMachine -> "no such machine";
            case LocateResult.LocateFailed locateFailed -> locateFailed.reason();
            case LocateResult.NodeLocated nodeLocated ->
                k8sdRouteResolver.pinCertificate(nodeLocated.reference(), shown);
        });
    }

    @Override
    public Future<ObjectEvidence> collectEvidence() {
        return serialTaskExecutor.submit(() -> new ObjectEvidence(
                switch (nodeLocator.locateCached()) {
                    case LocateResult.NoSuchMachine noSuchMachine -> List.of("no such machine");
                    case LocateResult.LocateFailed locateFailed -> List.of(locateFailed.reason());
                    case LocateResult.NodeLocated nodeLocated ->
                        siteClusters.clusters.queryCluster(
                                nodeLocated.reference().cluster(),
                                api -> new NodeInspector(new WorkloadClusterClient(api))
                                        .readConditions(nodeLocated.reference().node()),
                                List::of);
                },
                left()));
    }

    private List<String> left() {
        List<String> left = new ArrayList<>();
        if (guardMark != null) {
            left.add("Machine " + upgradeAttemptParameters.key().name() + ": " + AttemptAnnotation.ON_MACHINE + " "
                    + guardMark.text());
        }
        if (cordonMark != null) {
            left.add("Node: cordoned, " + cordonMark.text());
        }
        return left;
    }

    @Override
    public Future<Void> takeOverGuards() {
        resumed = true;
        mayBeGuarded = true;
        return serialTaskExecutor
                .submit(() -> {
                    String problem = siteClusters.guards.takeOverGuards(
                            upgradeAttemptParameters.key(),
                            upgradeAttemptParameters.attemptId(),
                            upgradeAttemptParameters.owner());
                    return problem != null
                            ? problem
                            : onNode((nodeCordoner, node) -> nodeCordoner.takeOver(
                                    node, upgradeAttemptParameters.attemptId(), upgradeAttemptParameters.owner()));
                })
                .compose(KubeNodeClient::done);
    }

    @Override
    public Future<Void> cleanUp() {
        halt.countDown();
        return serialTaskExecutor.submit(this::undone).compose(KubeNodeClient::done);
    }

    /** The node first: what keeps controllers off the machine stays until it takes pods again. */
    private @Nullable String undone() {
        if (!cordonIsKnown || cordonMark != null) {
            String problem = onNode((nodeCordoner, node) -> nodeCordoner.uncordonNode(
                    node, upgradeAttemptParameters.attemptId(), upgradeAttemptParameters.owner(), cordonMark));
            if (problem != null) {
                return problem;
            }
            cordonMark = null;
            cordonIsKnown = true;
        }
        if (!mayBeGuarded) {
            return null;
        }
        String problem = siteClusters.guards.releaseGuards(
                upgradeAttemptParameters.key(),
                upgradeAttemptParameters.attemptId(),
                upgradeAttemptParameters.owner(),
                guardMark);
        if (problem == null) {
            guardMark = null;
            mayBeGuarded = false;
        }
        return problem;
    }

    private interface OnNode {
        @Nullable
        String act(NodeCordoner nodeCordoner, String node);
    }

    private @Nullable String onNode(OnNode act) {
        return switch (nodeLocator.locateCached()) {
            case LocateResult.NoSuchMachine noSuchMachine -> null;
            case LocateResult.LocateFailed locateFailed -> locateFailed.reason();
            case LocateResult.NodeLocated nodeLocated ->
                siteClusters.clusters.<@Nullable String>queryCluster(
                        nodeLocated.reference().cluster(),
                        api -> act.act(
                                new NodeCordoner(new WorkloadClusterClient(api)),
                                nodeLocated.reference().node()),
                        why -> why);
        };
    }

    private static Future<Void> done(@Nullable String problem) {
        return problem == null ? Future.succeededFuture() : Future.failedFuture(problem);
    }
}
