package dev.flotilla.nodeworker.node;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.nodeworker.node.NodeLocator.NodeReference;
import dev.flotilla.nodeworker.nodeupgrade.NodeUpgradeAttempt;
import dev.flotilla.nodeworker.nodeupgrade.NodeUpgradeCaller;
import dev.flotilla.nodeworker.nodeupgrade.NodeUpgradeKind;
import dev.flotilla.nodeworker.nodeupgrade.NodeUpgradeStatusReader;
import dev.flotilla.nodeworker.nodeupgrade.NodeUpgradeTemplateReader;
import dev.flotilla.nodeworker.nodeupgrade.NodeUpgradeTemplateReader.TemplateResult;
import dev.flotilla.nodeworker.upgrade.NodeUpgradeParameters;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.schemas.kube.NodeUpgradeName;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.UpgradeTarget;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The client of another controller, which upgrades the node as a NodeUpgrade asks: creates the one object of an attempt, and
 * reads its status. The requests run on virtual threads, one after another.
 */
final class NodeUpgradeProviderClient implements UpgradeProviderClient {
    /** As long as the procedure waits for a change. */
    private static final Duration TIME_FOR_CHANGE = Duration.ofMinutes(60);

    private static final String NO_TEMPLATE =
            "the command names no template for the machine's NodeUpgrade; the policy's providers must have a rule with one";

    private final UpgradeAttemptParameters parameters;
    private final NodeUpgradeParameters nodeUpgrade;
    private final SerialTaskExecutor tasks;
    private final NodeLocator nodeLocator;
    private final NodeUpgradeTemplateReader templateReader;
    private final NodeUpgradeCaller caller;
    private final NodeUpgradeStatusReader statusReader;
    private final InstantSource clock;
    /** The template as last read; null before. */
    private volatile TemplateResult.@Nullable TemplateFound template;

    NodeUpgradeProviderClient(
            UpgradeAttemptParameters parameters,
            NodeUpgradeParameters nodeUpgrade,
            SerialTaskExecutor tasks,
            NodeLocator nodeLocator,
            NodeUpgradeTemplateReader templateReader,
            NodeUpgradeCaller caller,
            NodeUpgradeStatusReader statusReader,
            InstantSource clock) {
        this.parameters = parameters;
        this.nodeUpgrade = nodeUpgrade;
        this.tasks = tasks;
        this.nodeLocator = nodeLocator;
        this.templateReader = templateReader;
        this.caller = caller;
        this.statusReader = statusReader;
        this.clock = clock;
    }

    /** Reads the template, and lets the API server check the object without creating it. */
    @Override
    public Future<ConnectResult> connect() {
        return tasks.submit(() -> nodeLocator.<ConnectResult>withNode(this::connect, ConnectResult.NotReachable::new));
    }

    private ConnectResult connect(NodeReference reference) {
        NodeUpgradeTemplateRef ref = nodeUpgrade.template();
        UpgradeTarget target = nodeUpgrade.target();
        if (ref == null || target == null) {
            return new ConnectResult.ConnectionRefused(
                    FailureClass.TERMINAL, FailureReason.REFRESH_REJECTED, NO_TEMPLATE);
        }
        return switch (templateReader.readTemplate(parameters.key().namespace(), ref)) {
            case TemplateResult.TemplateFound found -> {
                template = found;
                yield caller.tryCreate(attemptOn(reference, target), found, deadline());
            }
            case TemplateResult.TemplateUnusable unusable -> new ConnectResult.NotConfigured(unusable.reason());
            case TemplateResult.TemplateForbidden forbidden ->
                new ConnectResult.ConnectionRefused(
                        FailureClass.RETRYABLE, FailureReason.CREDENTIALS, forbidden.reason());
            case TemplateResult.TemplateUnavailable unavailable -> new ConnectResult.NotReachable(unavailable.reason());
        };
    }

    private NodeUpgradeAttempt attemptOn(NodeReference reference, UpgradeTarget target) {
        return new NodeUpgradeAttempt(
                parameters.key(),
                parameters.uid(),
                reference.cluster(),
                reference.node(),
                parameters.role(),
                target,
                parameters.attemptId(),
                nodeUpgrade.stage());
    }

    private Instant deadline() {
        Instant commanded = nodeUpgrade.deadline();
        return commanded != null ? commanded : clock.instant().plus(TIME_FOR_CHANGE);
    }

    @Override
    public Future<CallResult> callUpgrade(UpgradeTarget target, BooleanSupplier inTime) {
        TemplateResult.TemplateFound read = template;
        return read == null
                ? Future.succeededFuture(new CallResult.NotSent("the template has not been read"))
                : tasks.submit(() -> nodeLocator.<CallResult>withNode(
                        reference -> caller.create(attemptOn(reference, target), read, deadline(), inTime),
                        CallResult.NotSent::new));
    }

    @Override
    public Future<ChangeStatus> pollChange(String changeId) {
        return readStatus(kind -> statusReader.read(kind, changeId, clock.instant()));
    }

    @Override
    public Future<ChangeStatus> abortChange(String changeId) {
        return readStatus(kind -> statusReader.abort(kind, changeId, clock.instant()));
    }

    private Future<ChangeStatus> readStatus(Function<NodeUpgradeKind, ChangeStatus> read) {
        NodeUpgradeTemplateRef ref = nodeUpgrade.template();
        return ref == null
                ? Future.succeededFuture(new ChangeStatus.StatusUnavailable(NO_TEMPLATE))
                : tasks.submit(
                        () -> templateReader.<ChangeStatus>withKind(ref, read, ChangeStatus.StatusUnavailable::new));
    }

    /** No node shows the description that its machine has: the object says which one was applied. */
    @Override
    public NodeInspection completeInspection(NodeInspection inspection) {
        return inspection instanceof NodeInspection.ObservedNode node
                ? node.withObservedSpec(appliedSpec())
                : inspection;
    }

    /** Reads the object if only a worker before this one has seen its end. */
    private @Nullable String appliedSpec() {
        String known = statusReader.appliedSpec();
        NodeUpgradeTemplateRef ref = nodeUpgrade.template();
        UpgradeTarget target = nodeUpgrade.target();
        if (known != null || ref == null || target == null || !(target instanceof UpgradeTarget.MachineSpecHash)) {
            return known;
        }
        String name = NodeUpgradeName.of(parameters.key(), parameters.uid(), target, parameters.attemptId());
        templateReader.<ChangeStatus>withKind(
                ref, kind -> statusReader.read(kind, name, clock.instant()), ChangeStatus.StatusUnavailable::new);
        return statusReader.appliedSpec();
    }

    /** Returns the object and its steps as last read. */
    @Override
    public List<String> lastRequests() {
        return statusReader.lastSeen();
    }

    @Override
    public void close() {
        // The client of the management cluster belongs to the site.
    }
}
