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

/** The node client that uses two API servers. It caches what saves a read; everything can be read again. */
final class KubeNodeClient implements NodeClient {
    private final SiteClusters siteClusters;
    private final SerialTaskExecutor serialTaskExecutor;
    private final UpgradeAttemptParameters upgradeAttemptParameters;
    private final UpgradePreconditions upgradePreconditions;
    private final NodeLocator nodeLocator;
    private final K8sdRouteResolver k8sdRouteResolver;

    private volatile CountDownLatch drainHalt = new CountDownLatch(1);
    /** The node as last inspected before the change; null if none is cached. */
    private @Nullable NodeSnapshot snapshotBefore;

    private @Nullable AttemptAnnotation guardAnnotation;
    private @Nullable AttemptAnnotation cordonAnnotation;
    /** Whether an earlier worker may have left annotations of the attempt that are not cached here. */
    private boolean resumed;

    /** Whether the machine may have guards of this attempt. */
    private boolean mayBeGuarded = true;

    private boolean cordonKnown;

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
                    case LocateResult.NodeLocated nodeLocated -> inspect(nodeLocated.reference(), changedAt);
                });
    }

    private NodeInspection inspect(NodeReference reference, @Nullable Instant changedAt) {
        NodeInspector.InspectedNode inspectedNode = siteClusters.clusters.queryCluster(
                reference.cluster(),
                api -> new NodeInspector(new WorkloadClusterClient(api))
                        .inspectNode(
                                reference.node(),
                                upgradeAttemptParameters.role(),
                                changedAt,
                                snapshotBefore,
                                siteClusters.clock.instant()),
                reason -> new NodeInspector.InspectedNode(new NodeInspection.Unreachable(reason), null, false));
        if (inspectedNode.snapshot() != null) {
            snapshotBefore = changedAt == null ? inspectedNode.snapshot() : snapshotBefore;
            nodeLocator.address(reference, inspectedNode.snapshot().internalIp());
        }
        // A missing Node may mean that the machine was deleted.
        return inspectedNode.missing() && nodeLocator.locate() instanceof LocateResult.NoSuchMachine
                ? new NodeInspection.MachineGone()
                : inspectedNode.inspection();
    }

    @Override
    public Future<List<FailedCheck>> runChecks(List<HealthCheck> checks) {
        return serialTaskExecutor.submit(() -> switch (nodeLocator.locateCached()) {
            case LocateResult.NoSuchMachine noSuchMachine -> allFailed(checks, "no such machine");
            case LocateResult.LocateFailed locateFailed -> allFailed(checks, locateFailed.reason());
            case LocateResult.NodeLocated nodeLocated ->
                siteClusters.prober.runChecks(
                        checks,
                        name -> placeholderValue(nodeLocated.reference(), name),
                        queriesFor(nodeLocated.reference()));
        });
    }

    private static List<FailedCheck> allFailed(List<HealthCheck> checks, String text) {
        return checks.stream().map(check -> new FailedCheck(check, text)).toList();
    }

    private String placeholderValue(NodeReference reference, String placeholder) {
        return switch (placeholder) {
            case "site" -> upgradeAttemptParameters.key().site().name();
            case "namespace" -> upgradeAttemptParameters.key().namespace();
            case "cluster" -> reference.cluster().name();
            case "machine" -> upgradeAttemptParameters.key().name();
            default -> reference.node();
        };
    }

    private ClusterApiQueries queriesFor(NodeReference reference) {
        return new ClusterApiQueries() {
            @Override
            public @Nullable String queryManagementCluster(Function<KubeApiClient, @Nullable String> query) {
                return query.apply(siteClusters.management);
            }

            @Override
            public @Nullable String queryWorkloadCluster(Function<KubeApiClient, @Nullable String> query) {
                return siteClusters.clusters.<@Nullable String>queryCluster(
                        reference.cluster(), query, reason -> reason);
            }
        };
    }

    @Override
    public Future<@Nullable String> setGuards(Instant drainUntil, Runnable drains) {
        CountDownLatch ownHalt = new CountDownLatch(1);
        drainHalt = ownHalt;
        return serialTaskExecutor.submit(() -> switch (nodeLocator.locateCached()) {
            case LocateResult.NoSuchMachine noSuchMachine -> "no such machine";
            case LocateResult.LocateFailed locateFailed -> locateFailed.reason();
            case LocateResult.NodeLocated nodeLocated ->
                guardAndDrain(nodeLocated.reference(), drainUntil, ownHalt, drains);
        });
    }

    private @Nullable String guardAndDrain(
            NodeReference reference, Instant drainUntil, CountDownLatch ownHalt, Runnable drains)
            throws InterruptedException {
        cordonKnown = !resumed;
        String ownChangeId = MachinePreconditions.ownChangeId(reference.machine());
        // A machine that waits long is retried again and again, and each write would wake every controller that watches
        // it.
        String snapshotBefore = AttemptAnnotation.onMachine(reference.machine()) == null
                ? upgradePreconditions.checkBeforeGuards(
                        reference.machine(),
                        reference.cluster(),
                        reference.node(),
                        ownChangeId,
                        queryFor(reference.cluster()))
                : null;
        if (snapshotBefore != null) {
            mayBeGuarded = resumed;
            return snapshotBefore;
        }
        mayBeGuarded = true;
        return switch (siteClusters.guards.setGuards(
                upgradeAttemptParameters.key(),
                reference.machine(),
                upgradeAttemptParameters.attemptId(),
                upgradeAttemptParameters.owner())) {
            case GuardAnnotationWriter.GuardResult.GuardsNotWritten guardsNotWritten -> guardsNotWritten.reason();
            case GuardAnnotationWriter.GuardResult.GuardsWritten guardsWritten -> {
                guardAnnotation = guardsWritten.mark();
                nodeLocator.machine(reference, guardsWritten.machine());
                String problem = upgradePreconditions.checkAfterGuards(
                        guardsWritten.machine(), reference.cluster(), ownChangeId);
                yield problem == null
                        ? drainIfRequired(guardsWritten.machine(), reference, drainUntil, ownHalt, drains)
                        : problem;
            }
        };
    }

    private @Nullable String drainIfRequired(
            KubeObject machine, NodeReference reference, Instant drainUntil, CountDownLatch ownHalt, Runnable drains)
            throws InterruptedException {
        long leftBehind = siteClusters.clock.instant().until(drainUntil, ChronoUnit.NANOS);
        try (BorrowResult borrowResult = siteClusters.clusters.borrow(reference.cluster())) {
            if (!(borrowResult instanceof BorrowResult.BorrowedConnection borrowedConnection)) {
                return ((BorrowResult.ClusterUnavailable) borrowResult).reason();
            }
            CordonAndDrain cordonAndDrain = new CordonAndDrain(
                    siteClusters, borrowedConnection.api(), upgradeAttemptParameters, reference.node());
            if (!cordonAndDrain.isRequired(machine)) {
                return cordonAndDrain.problem();
            }
            cordonKnown = false;
            NodeCordoner.CordonResult cordonResult = cordonAndDrain.cordon();
            cordonAnnotation = cordonResult instanceof NodeCordoner.CordonResult.CordonedByAttempt cordonedByAttempt
                    ? cordonedByAttempt.mark()
                    : null;
            cordonKnown = !(cordonResult instanceof NodeCordoner.CordonResult.CordonFailed);
            return cordonResult instanceof NodeCordoner.CordonResult.CordonFailed cordonFailed
                    ? cordonFailed.reason()
                    : cordonAndDrain.drainNode(
                            machine, reference.cluster(), siteClusters.ticks.getAsLong() + leftBehind, ownHalt, drains);
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
                        queryFor(nodeLocated.reference().cluster()));
        });
    }

    private UpgradePreconditions.WorkloadQuery queryFor(ClusterKey cluster) {
        return workloadCheck -> siteClusters.clusters.<@Nullable String>queryCluster(
                cluster, api -> workloadCheck.findProblem(api), reason -> reason);
    }

    @Override
    public Future<K8sdRoute> findRoute() {
        // This runs for each request to the node, so cached values are used without queuing.
        NodeReference reference = serialTaskExecutor.isIdle() ? nodeLocator.cachedReference() : null;
        K8sdRoute known = reference == null ? null : k8sdRouteResolver.cachedRoute(reference);
        return known != null ? Future.succeededFuture(known) : resolveLater();
    }

    private Future<K8sdRoute> resolveLater() {
        return serialTaskExecutor.submit(() -> switch (nodeLocator.locateCached()) {
            case LocateResult.NoSuchMachine noSuchMachine -> new K8sdRoute.NoRoute("no such machine");
            case LocateResult.LocateFailed locateFailed -> new K8sdRoute.NoRoute(locateFailed.reason());
            case LocateResult.NodeLocated nodeLocated -> resolveRoute(nodeLocated.reference());
        });
    }

    private K8sdRoute resolveRoute(NodeReference reference) {
        if (reference.address() == null) {
            inspect(reference, null);
        }
        String address = nodeLocator.address();
        if (address == null) {
            return new K8sdRoute.NoRoute("node " + reference.node() + " has no InternalIP");
        }
        String addressProblem = ForbiddenAddresses.problemOfNode(address, siteClusters.testBed);
        if (addressProblem != null) {
            return new K8sdRoute.NoRoute(
                    "node " + reference.node() + " has the InternalIP " + address + ", which " + addressProblem);
        }
        return k8sdRouteResolver.resolveRoute(reference, address);
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
                describeLeftBehind()));
    }

    private List<String> describeLeftBehind() {
        List<String> leftBehind = new ArrayList<>();
        if (guardAnnotation != null) {
            leftBehind.add("Machine " + upgradeAttemptParameters.key().name() + ": " + AttemptAnnotation.ON_MACHINE
                    + " " + guardAnnotation.text());
        }
        if (cordonAnnotation != null) {
            leftBehind.add("Node: cordoned, " + cordonAnnotation.text());
        }
        return leftBehind;
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
                .compose(KubeNodeClient::failIfProblem);
    }

    @Override
    public Future<Void> cleanUp() {
        drainHalt.countDown();
        return serialTaskExecutor.submit(this::removeCordonAndGuards).compose(KubeNodeClient::failIfProblem);
    }

    /** Removes the cordon first, so that guards keep controllers away until the node accepts pods again. */
    private @Nullable String removeCordonAndGuards() {
        if (!cordonKnown || cordonAnnotation != null) {
            String problem = onNode((nodeCordoner, node) -> nodeCordoner.uncordonNode(
                    node, upgradeAttemptParameters.attemptId(), upgradeAttemptParameters.owner(), cordonAnnotation));
            if (problem != null) {
                return problem;
            }
            cordonAnnotation = null;
            cordonKnown = true;
        }
        if (!mayBeGuarded) {
            return null;
        }
        String problem = siteClusters.guards.releaseGuards(
                upgradeAttemptParameters.key(),
                upgradeAttemptParameters.attemptId(),
                upgradeAttemptParameters.owner(),
                guardAnnotation);
        if (problem == null) {
            guardAnnotation = null;
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
                        reason -> reason);
        };
    }

    private static Future<Void> failIfProblem(@Nullable String problem) {
        return problem == null ? Future.succeededFuture() : Future.failedFuture(problem);
    }
}
