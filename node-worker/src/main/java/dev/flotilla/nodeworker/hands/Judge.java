package dev.flotilla.nodeworker.hands;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.management.BackupJudgement;
import dev.flotilla.nodeworker.management.ClusterJudgement;
import dev.flotilla.nodeworker.management.ControlPlaneJudgement;
import dev.flotilla.nodeworker.management.MachineJudgement;
import dev.flotilla.nodeworker.management.Mark;
import dev.flotilla.nodeworker.management.OwnerJudgement;
import dev.flotilla.nodeworker.workload.Cordon;
import dev.flotilla.nodeworker.workload.LiveCheck;
import dev.flotilla.nodeworker.workload.NodeFacts;
import dev.flotilla.nodeworker.workload.Nodes;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.SiteMode;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether the machine may be touched, by everything that says so: the machine itself, its cluster, its owner, its peers. */
final class Judge {
    /** The machine as the guards' write showed it is as good as a look, for less than the command delay. */
    private static final long AS_NOW_NANOS = 1_000_000_000L;

    private final Site site;
    private final Errand errand;
    private @Nullable String ownChangeId;
    private @Nullable Long replicas;
    private boolean clean;
    private long judgedAt;

    Judge(Site site, Errand errand) {
        this.site = site;
        this.errand = errand;
    }

    /** What speaks against the call, as a workload cluster shows it. */
    interface Question {
        @Nullable
        String about(KubeApiClient api);
    }

    /** Asks the workload cluster, if it can be reached. */
    interface Ask {
        @Nullable
        String of(Question question);
    }

    /** As the worker is set, or as the site's watcher found it. Where nobody says, the provider's keys are the provider's. */
    private SiteMode mode() {
        SiteMode set = site.settings.trigger();
        SiteMode found = set == null ? errand.mode() : set;
        return found == null ? SiteMode.INTERCEPT : found;
    }

    /**
     * Judges the machine as it was seen last, before anything is written to it. Where its peers spoke against the last attempt,
     * they are asked as well.
     */
    @Nullable
    String beforeTheGuards(KubeObject machine, ClusterKey cluster, String node, @Nullable String ownChangeId, Ask ask) {
        this.ownChangeId = ownChangeId;
        String problem = problem(machine, cluster);
        return problem == null && site.waiting.get(errand.key()) != null ? peers(node, ask) : problem;
    }

    /** Judges the machine as it came back with the guards on it. */
    @Nullable
    String guarded(KubeObject machine, ClusterKey cluster, @Nullable String ownChangeId) {
        this.ownChangeId = ownChangeId;
        return judged(machine, cluster);
    }

    private @Nullable String judged(KubeObject machine, ClusterKey cluster) {
        clean = false;
        // What is read after this instant is at least as new as it.
        long at = site.ticks.getAsLong();
        String problem = problem(machine, cluster);
        if (problem == null) {
            clean = true;
            judgedAt = at;
        }
        return problem;
    }

    private @Nullable String problem(KubeObject machine, ClusterKey cluster) {
        String problem = MachineJudgement.problem(machine, errand.uid(), mode(), ownChangeId);
        if (problem != null) {
            return problem;
        }
        KubeResponse itsCluster = site.machines.cluster(cluster);
        if (!(itsCluster instanceof KubeResponse.SuccessResponse successResponse)) {
            return "the cluster cannot be read: " + itsCluster.problem();
        }
        problem = ClusterJudgement.problem(successResponse.object());
        if (problem == null) {
            problem = BackupJudgement.problem(machine, successResponse.object(), errand.backup(), site.clock.instant());
        }
        if (problem != null) {
            return problem;
        }
        KubeResponse owner = site.machines.owner(machine);
        if (owner == null) {
            return null;
        }
        if (!(owner instanceof KubeResponse.SuccessResponse its)) {
            return "the machine's owner cannot be read: " + owner.problem();
        }
        replicas = its.object().number("spec", "replicas");
        problem = OwnerJudgement.problem(its.object(), mode());
        return problem == null && errand.role() == MachineRole.CONTROL_PLANE
                ? ControlPlaneJudgement.problem(its.object())
                : problem;
    }

    /** Judges everything as it is now. */
    @Nullable
    String now(ClusterKey cluster, String node, Ask ask) {
        if (!clean || site.ticks.getAsLong() - judgedAt > AS_NOW_NANOS) {
            KubeResponse reply = site.machines.machine(errand.key());
            if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
                return reply.isMissing() ? "no such machine" : "the machine cannot be read: " + reply.problem();
            }
            Mark mark = Mark.onMachine(successResponse.object());
            if (mark == null || !mark.isOf(errand.attempt(), errand.owner())) {
                return "the machine is in other hands";
            }
            String problem = judged(successResponse.object(), cluster);
            if (problem != null) {
                return problem;
            }
        }
        return peers(node, ask);
    }

    private @Nullable String peers(String node, Ask ask) {
        String problem =
                ask.of(api -> errand.role() == MachineRole.CONTROL_PLANE ? members(new Nodes(api), node) : workers(api, node));
        if (problem == null) {
            site.waiting.remove(errand.key());
        } else {
            site.waiting.put(errand.key(), problem);
        }
        return problem;
    }

    private @Nullable String workers(KubeApiClient api, String node) {
        return switch (new Nodes(api).all()) {
            case Nodes.Listed.Dark dark -> "the nodes cannot be listed: " + dark.why();
            case Nodes.Listed.All all -> {
                String problem = LiveCheck.ofWorkers(node, all.nodes(), errand.maxUnavailable());
                if (problem != null) {
                    uncordonWhatWasLeft(api, all.nodes());
                }
                yield problem;
            }
        };
    }

    /** Else a node that an attempt of long ago could not uncordon would count as away for ever. */
    private void uncordonWhatWasLeft(KubeApiClient api, List<NodeFacts> nodes) {
        for (NodeFacts left : nodes) {
            Mark mark = left.cordon();
            if (mark != null && mark.isOverdue(site.clock.instant())) {
                // Where it cannot be done, the next look tries again.
                new Cordon(new Nodes(api)).undo(left.name(), mark.attempt(), mark.owner(), null);
            }
        }
    }

    private @Nullable String members(Nodes nodes, String node) {
        return switch (nodes.members()) {
            case Nodes.Listed.Dark dark -> "the control plane's nodes cannot be listed: " + dark.why();
            case Nodes.Listed.All all -> {
                Map<String, Instant> renewed = new HashMap<>();
                for (NodeFacts member : all.nodes()) {
                    Instant at = member.name().equals(node) ? null : nodes.renewed(member.name());
                    if (at != null) {
                        renewed.put(member.name(), at);
                    }
                }
                String problem = LiveCheck.ofControlPlane(node, all.nodes(), replicas, renewed, site.clock.instant());
                yield problem == null ? datastore(nodes, node, all.nodes()) : problem;
            }
        };
    }

    /** A member whose datastore is dead has a kubelet that is well, and an API server that is not. */
    private static @Nullable String datastore(Nodes nodes, String node, List<NodeFacts> members) {
        List<NodeFacts> others =
                members.stream().filter(member -> !member.name().equals(node)).toList();
        if (others.isEmpty()) {
            return null;
        }
        String sick = nodes.datastoreProblem();
        return sick == null ? LiveCheck.ofApiServers(others, nodes.apiAddresses()) : sick;
    }
}
