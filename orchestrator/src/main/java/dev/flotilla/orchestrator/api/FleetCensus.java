package dev.flotilla.orchestrator.api;

import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.fleet.ClusterState;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.api.answer.Condition;
import dev.flotilla.orchestrator.view.View;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.StartDeferral;
import dev.flotilla.schemas.row.RolloutRef;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts what can only be found by looking at every machine. */
final class FleetCensus {
    /** The label where all gates are open. */
    static final String NO_GATE = "none";

    private final Walk<List<Seen>> walk;
    private final Map<String, Map<Condition, Integer>> sites = new TreeMap<>();
    private final Map<String, Integer> deferred = new TreeMap<>();
    private final Map<String, Integer> waiting = gates();
    private final Map<CampaignName, Map<String, Integer>> waitingOf = new HashMap<>();
    private final Map<ClusterKey, Set<Condition>> controlPlanes = new HashMap<>();

    /** A machine as one question saw it. */
    private record Seen(ClusterKey cluster, boolean controlPlane, boolean deferred, MachineSummary glance) {}

    FleetCensus(Asker asker) {
        walk = new Walk<>(asker, FleetCensus::look, seen -> seen.forEach(this::count));
    }

    Future<Void> run() {
        return walk.run();
    }

    boolean isComplete() {
        return walk.isComplete();
    }

    /** How many machines of a site stand like this. */
    int machines(String site, Condition condition) {
        return sites.getOrDefault(site, Map.of()).getOrDefault(condition, 0);
    }

    /** Machines of a site that wait after their worker has refused to start them again and again. */
    int deferred(String site) {
        return deferred.getOrDefault(site, 0);
    }

    /** By gate, how many machines wait; each at the first that is closed to it. */
    Map<String, Integer> waiting() {
        return waiting;
    }

    /** The gate at which most machines of a campaign wait. */
    String gateOf(CampaignName campaign) {
        Map<String, Integer> counts = waitingOf.getOrDefault(campaign, Map.of());
        String most = GateLabel.CLAIMED_BY_OTHER.label();
        int machines = 0;
        for (Map.Entry<String, Integer> each : counts.entrySet()) {
            if (each.getValue() > machines) {
                most = each.getKey();
                machines = each.getValue();
            }
        }
        return most;
    }

    /** Control planes of a site with members at the target and others that wait or have failed, and none at work. */
    int halfDone(String site) {
        return (int) controlPlanes.entrySet().stream()
                .filter(each -> each.getKey().site().name().equals(site))
                .filter(each -> isHalfDone(each.getValue()))
                .count();
    }

    /** How many wait, by gate, in the gates' order: none at any yet. */
    static Map<String, Integer> gates() {
        Map<String, Integer> counts = new TreeMap<>();
        counts.put(NO_GATE, 0);
        for (GateLabel gate : GateLabel.values()) {
            counts.put(gate.label(), 0);
        }
        return counts;
    }

    private static boolean isHalfDone(Set<Condition> members) {
        return members.contains(Condition.SUCCEEDED)
                && (members.contains(Condition.WAITING) || members.contains(Condition.QUARANTINED))
                && !members.contains(Condition.IN_FLIGHT)
                && !members.contains(Condition.UNKNOWN);
    }

    private void count(Seen seen) {
        Condition condition = Condition.of(seen.glance().state());
        sites.computeIfAbsent(seen.cluster().site().name(), key -> new EnumMap<>(Condition.class))
                .merge(condition, 1, Integer::sum);
        if (seen.controlPlane()) {
            controlPlanes
                    .computeIfAbsent(seen.cluster(), key -> EnumSet.noneOf(Condition.class))
                    .add(condition);
        }
        if (condition == Condition.WAITING) {
            deferred.merge(seen.cluster().site().name(), seen.deferred() ? 1 : 0, Integer::sum);
            GateLabel gate = seen.glance().gate();
            waits(gate == null ? NO_GATE : gate.label(), seen.glance().rolloutRef());
        }
    }

    private void waits(String gate, @Nullable RolloutRef rolloutRef) {
        waiting.merge(gate, 1, Integer::sum);
        if (rolloutRef instanceof RolloutRef.CampaignRef campaign) {
            waitingOf.computeIfAbsent(campaign.name(), key -> new TreeMap<>()).merge(gate, 1, Integer::sum);
        }
    }

    private static List<Seen> look(View view, List<MachineView> machines) {
        List<Seen> seen = new ArrayList<>(machines.size());
        for (MachineView machine : machines) {
            ClusterState home = machine.cluster();
            if (home != null && !home.isNowhere()) {
                MachineSummary machineSummary = MachineExplainer.summarizeMachine(view.state(), view.gates(), machine, view.now());
                seen.add(new Seen(home.key(), machine.isControlPlane(), isDeferred(machine, machineSummary), machineSummary));
            }
        }
        return seen;
    }

    private static boolean isDeferred(MachineView machine, MachineSummary machineSummary) {
        StartDeferral deferral = machineSummary.rolloutRef() == null ? null : machine.deferral(machineSummary.rolloutRef());
        return deferral != null && deferral.isLasting();
    }
}
