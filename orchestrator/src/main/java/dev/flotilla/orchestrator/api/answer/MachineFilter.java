package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.fleet.ClusterState;
import dev.flotilla.core.fleet.MachineCursor;
import dev.flotilla.core.fleet.MachinePage;
import dev.flotilla.core.fleet.MachineProgressState;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.fleet.Rollout;
import dev.flotilla.core.fleet.StartCandidate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.view.StateView;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.MachineRole;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which machines are asked for; null asks for any. */
public record MachineFilter(
        @Nullable SiteId site,
        @Nullable ClusterKey cluster,
        @Nullable CampaignName campaign,
        @Nullable MachineRole role,
        @Nullable String state,
        @Nullable GateLabel gate) {

    /** Machines and clusters that one question looks at: about half a millisecond of the thread that decides. */
    public static final int LOOKS = 500;

    /** What one question found, and where the next one goes on; null at the end. */
    public record FilterResult(
            List<MachineListItem> machines, @Nullable MachineCursor nextCursor) {}

    /** Where looking begins. */
    public MachineCursor start() {
        return cluster != null
                ? MachineCursor.of(cluster)
                : site != null ? MachineCursor.of(site) : MachineCursor.start();
    }

    /** Looks at a piece of the fleet. */
    public FilterResult readPage(StateView view, MachineCursor from, int most) {
        Rollout rollout = campaign == null ? null : view.state().rollout(campaign);
        MachinePage piece = view.state().scanMachines(from, LOOKS);
        List<MachineListItem> found = new ArrayList<>();
        for (MachineView machine : piece.machines()) {
            ClusterState home = machine.cluster();
            if (home == null || !reaches(home.key())) {
                return new FilterResult(found, null);
            }
            if (found.size() == most) {
                return new FilterResult(found, behind(found));
            }
            MachineListItem item = item(view, rollout, machine);
            if (item != null) {
                found.add(item);
            }
        }
        MachineCursor next = piece.next();
        return new FilterResult(found, next == null || !reaches(next.cluster()) ? null : next);
    }

    private @Nullable MachineListItem item(StateView view, @Nullable Rollout rollout, MachineView machine) {
        boolean other = (role != null && machine.role() != role) || (campaign != null && !isIn(rollout, view, machine));
        if (other) {
            return null;
        }
        MachineSummary machineSummary =
                MachineExplainer.summarizeMachine(view.state(), view.gates(), machine, view.now());
        boolean wanted = (state == null || machineSummary.state().equals(state))
                && (gate == null || machineSummary.gate() == gate);
        return wanted ? MachineListItem.of(machine, machineSummary) : null;
    }

    private static boolean isIn(@Nullable Rollout rollout, StateView view, MachineView machine) {
        StartCandidate candidate = rollout == null ? null : view.state().candidateOf(rollout, machine, view.now());
        return candidate != null && candidate.progressState() != MachineProgressState.NONE;
    }

    /** Whether machines of a cluster may still be asked for, as clusters come in their order. */
    private boolean reaches(ClusterKey at) {
        return (cluster == null || at.equals(cluster))
                && (site == null || at.site().equals(site));
    }

    private static MachineCursor behind(List<MachineListItem> found) {
        MachineListItem last = found.get(found.size() - 1);
        return MachineCursorFormat.cursorOf(last);
    }
}
