package dev.flotilla.nodeworker.hands;

import dev.flotilla.core.procedure.FailedCheck;
import dev.flotilla.core.procedure.NodeInspection;
import dev.flotilla.kube.ForbiddenAddresses;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.nodeworker.checks.Clusters;
import dev.flotilla.nodeworker.hands.Whereabouts.Found;
import dev.flotilla.nodeworker.hands.Whereabouts.Known;
import dev.flotilla.nodeworker.k8sd.Pin;
import dev.flotilla.nodeworker.management.Guards;
import dev.flotilla.nodeworker.management.MachineJudgement;
import dev.flotilla.nodeworker.management.Mark;
import dev.flotilla.nodeworker.workload.Cordon;
import dev.flotilla.nodeworker.workload.NodeFacts;
import dev.flotilla.nodeworker.workload.NodeLook;
import dev.flotilla.nodeworker.workload.Nodes;
import dev.flotilla.nodeworker.workload.WorkloadClusters.Borrowed;
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
final class KubeHands implements Hands {
    private final Site site;
    private final Turns turns;
    private final Errand errand;
    private final Judge judge;
    private final Whereabouts whereabouts;
    private final Acquaintance acquaintance;

    private volatile CountDownLatch halt = new CountDownLatch(1);
    /** The node as it was seen last before the change; null where nobody remembers. */
    private @Nullable NodeFacts before;

    private @Nullable Mark guardMark;
    private @Nullable Mark cordonMark;
    /** Whether an earlier owner of the attempt may have left something that is not remembered here. */
    private boolean resumed;

    /** Whether there may be guards of this attempt. */
    private boolean mayBeGuarded = true;

    private boolean cordonIsKnown;

    KubeHands(Site site, Turns turns, Errand errand) {
        this.site = site;
        this.turns = turns;
        this.errand = errand;
        this.judge = new Judge(site, errand);
        this.whereabouts = new Whereabouts(site, errand);
        this.acquaintance = new Acquaintance(site, errand);
    }

    @Override
    public Future<NodeInspection> inspect(@Nullable Instant changedAt) {
        return turns.next(() -> switch (changedAt == null ? whereabouts.find() : whereabouts.remembered()) {
            case Found.Gone gone -> new NodeInspection.MachineGone();
            case Found.Dark dark -> new NodeInspection.Unreachable(dark.text());
            case Found.It it -> look(it.known(), changedAt);
        });
    }

    private NodeInspection look(Known it, @Nullable Instant changedAt) {
        NodeLook.Seen seen = site.clusters.ask(
                it.cluster(),
                api -> new NodeLook(new Nodes(api))
                        .look(it.node(), errand.role(), changedAt, before, site.clock.instant()),
                why -> new NodeLook.Seen(new NodeInspection.Unreachable(why), null, false));
        if (seen.facts() != null) {
            before = changedAt == null ? seen.facts() : before;
            whereabouts.address(it, seen.facts().internalIp());
        }
        // A Node that is gone may be that of a machine that is gone.
        return seen.missing() && whereabouts.find() instanceof Found.Gone ? new NodeInspection.MachineGone() : seen.sight();
    }

    @Override
    public Future<List<FailedCheck>> check(List<HealthCheck> checks) {
        return turns.next(() -> switch (whereabouts.remembered()) {
            case Found.Gone gone -> all(checks, "no such machine");
            case Found.Dark dark -> all(checks, dark.text());
            case Found.It it -> site.prober.ask(checks, name -> name(it.known(), name), clusters(it.known()));
        });
    }

    private static List<FailedCheck> all(List<HealthCheck> checks, String text) {
        return checks.stream().map(check -> new FailedCheck(check, text)).toList();
    }

    private String name(Known it, String placeholder) {
        return switch (placeholder) {
            case "site" -> errand.key().site().name();
            case "namespace" -> errand.key().namespace();
            case "cluster" -> it.cluster().name();
            case "machine" -> errand.key().name();
            default -> it.node();
        };
    }

    private Clusters clusters(Known it) {
        return new Clusters() {
            @Override
            public @Nullable String inManagement(Function<KubeApiClient, @Nullable String> question) {
                return question.apply(site.management);
            }

            @Override
            public @Nullable String inWorkload(Function<KubeApiClient, @Nullable String> question) {
                return site.clusters.<@Nullable String>ask(it.cluster(), question, why -> why);
            }
        };
    }

    @Override
    public Future<@Nullable String> guard(Instant drainUntil, Runnable drains) {
        CountDownLatch mine = new CountDownLatch(1);
        halt = mine;
        return turns.next(() -> switch (whereabouts.remembered()) {
            case Found.Gone gone -> "no such machine";
            case Found.Dark dark -> dark.text();
            case Found.It it -> guarded(it.known(), drainUntil, mine, drains);
        });
    }

    private @Nullable String guarded(Known it, Instant drainUntil, CountDownLatch mine, Runnable drains)
            throws InterruptedException {
        cordonIsKnown = !resumed;
        String ownChangeId = MachineJudgement.ownChangeId(it.machine());
        // A machine that waits for long is tried again and again: each write would wake every controller that watches
        // it.
        String before = Mark.onMachine(it.machine()) == null
                ? judge.beforeTheGuards(it.machine(), it.cluster(), it.node(), ownChangeId, ask(it.cluster()))
                : null;
        if (before != null) {
            mayBeGuarded = resumed;
            return before;
        }
        mayBeGuarded = true;
        return switch (site.guards.set(errand.key(), it.machine(), errand.attempt(), errand.owner())) {
            case Guards.Setting.Not not -> not.why();
            case Guards.Setting.Set set -> {
                guardMark = set.mark();
                whereabouts.machine(it, set.machine());
                String problem = judge.guarded(set.machine(), it.cluster(), ownChangeId);
                yield problem == null ? emptied(set.machine(), it, drainUntil, mine, drains) : problem;
            }
        };
    }

    private @Nullable String emptied(KubeObject machine, Known it, Instant drainUntil, CountDownLatch mine, Runnable drains)
            throws InterruptedException {
        long left = site.clock.instant().until(drainUntil, ChronoUnit.NANOS);
        try (Borrowed borrowed = site.clusters.borrow(it.cluster())) {
            if (!(borrowed instanceof Borrowed.Open open)) {
                return ((Borrowed.None) borrowed).why();
            }
            Emptying emptying = new Emptying(site, open.api(), errand, it.node());
            if (!emptying.isWanted(machine)) {
                return emptying.problem();
            }
            cordonIsKnown = false;
            Cordon.Setting setting = emptying.cordon();
            cordonMark = setting instanceof Cordon.Setting.Ours ours ? ours.mark() : null;
            cordonIsKnown = !(setting instanceof Cordon.Setting.Not);
            return setting instanceof Cordon.Setting.Not not
                    ? not.why()
                    : emptying.run(machine, it.cluster(), site.ticks.getAsLong() + left, mine, drains);
        }
    }

    @Override
    public Future<@Nullable String> judge() {
        return turns.next(() -> switch (whereabouts.remembered()) {
            case Found.Gone gone -> "no such machine";
            case Found.Dark dark -> dark.text();
            case Found.It it ->
                judge.now(
                        it.known().cluster(), it.known().node(), ask(it.known().cluster()));
        });
    }

    private Judge.Ask ask(ClusterKey cluster) {
        return question -> site.clusters.<@Nullable String>ask(cluster, api -> question.about(api), why -> why);
    }

    @Override
    public Future<Way> way() {
        // It is asked for with each question to the node: what is known needs nobody who may wait.
        Known it = turns.areOver() ? whereabouts.known() : null;
        Way known = it == null ? null : acquaintance.known(it);
        return known != null ? Future.succeededFuture(known) : found();
    }

    private Future<Way> found() {
        return turns.next(() -> switch (whereabouts.remembered()) {
            case Found.Gone gone -> new Way.Closed("no such machine");
            case Found.Dark dark -> new Way.Closed(dark.text());
            case Found.It it -> way(it.known());
        });
    }

    private Way way(Known it) {
        if (it.address() == null) {
            look(it, null);
        }
        String address = whereabouts.address();
        if (address == null) {
            return new Way.Closed("node " + it.node() + " has no InternalIP");
        }
        String unfit = ForbiddenAddresses.problemOfNode(address, site.testBed);
        if (unfit != null) {
            return new Way.Closed("node " + it.node() + " says that its InternalIP is " + address + ", which " + unfit);
        }
        return acquaintance.way(it, address);
    }

    @Override
    public void wayRefused() {
        ClusterKey cluster = whereabouts.cluster();
        if (cluster != null) {
            site.tokens.refused(cluster);
            site.pins.refused(cluster);
        }
        acquaintance.isElsewhere();
    }

    @Override
    public boolean wayMissed() {
        return acquaintance.isElsewhere();
    }

    @Override
    public Future<@Nullable String> meet(Pin shown) {
        return turns.next(() -> switch (whereabouts.remembered()) {
            case Found.Gone gone -> "no such machine";
            case Found.Dark dark -> dark.text();
            case Found.It it -> acquaintance.met(it.known(), shown);
        });
    }

    @Override
    public Future<Witness> witness() {
        return turns.next(() -> new Witness(
                switch (whereabouts.remembered()) {
                    case Found.Gone gone -> List.of("no such machine");
                    case Found.Dark dark -> List.of(dark.text());
                    case Found.It it ->
                        site.clusters.ask(
                                it.known().cluster(),
                                api -> new NodeLook(new Nodes(api))
                                        .conditions(it.known().node()),
                                List::of);
                },
                left()));
    }

    private List<String> left() {
        List<String> left = new ArrayList<>();
        if (guardMark != null) {
            left.add("Machine " + errand.key().name() + ": " + Mark.ON_MACHINE + " " + guardMark.text());
        }
        if (cordonMark != null) {
            left.add("Node: cordoned, " + cordonMark.text());
        }
        return left;
    }

    @Override
    public Future<Void> takeOver() {
        resumed = true;
        mayBeGuarded = true;
        return turns.next(() -> {
                    String problem = site.guards.takeOver(errand.key(), errand.attempt(), errand.owner());
                    return problem != null
                            ? problem
                            : onNode((cordon, node) -> cordon.takeOver(node, errand.attempt(), errand.owner()));
                })
                .compose(KubeHands::done);
    }

    @Override
    public Future<Void> undo() {
        halt.countDown();
        return turns.next(this::undone).compose(KubeHands::done);
    }

    /** The node first: what keeps controllers off the machine stays until it takes pods again. */
    private @Nullable String undone() {
        if (!cordonIsKnown || cordonMark != null) {
            String problem = onNode((cordon, node) -> cordon.undo(node, errand.attempt(), errand.owner(), cordonMark));
            if (problem != null) {
                return problem;
            }
            cordonMark = null;
            cordonIsKnown = true;
        }
        if (!mayBeGuarded) {
            return null;
        }
        String problem = site.guards.release(errand.key(), errand.attempt(), errand.owner(), guardMark);
        if (problem == null) {
            guardMark = null;
            mayBeGuarded = false;
        }
        return problem;
    }

    private interface OnNode {
        @Nullable
        String act(Cordon cordon, String node);
    }

    private @Nullable String onNode(OnNode act) {
        return switch (whereabouts.remembered()) {
            case Found.Gone gone -> null;
            case Found.Dark dark -> dark.text();
            case Found.It it ->
                site.clusters.<@Nullable String>ask(
                        it.known().cluster(),
                        api -> act.act(new Cordon(new Nodes(api)), it.known().node()),
                        why -> why);
        };
    }

    private static Future<Void> done(@Nullable String problem) {
        return problem == null ? Future.succeededFuture() : Future.failedFuture(problem);
    }
}
