package dev.flotilla.cli.demo;

import dev.flotilla.cli.demo.stage.DemoProcessException;
import dev.flotilla.cli.demo.stage.DemoProcesses;
import dev.flotilla.schemas.id.SiteId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Kills components one after the other, once a third of the machines is done, and measures the recovery. */
final class ProcessKiller {
    private static final int THIRD = 3;
    private static final long NEVER = -1;

    private final DemoProcesses demoProcesses;
    private final DemoTableFollower demoTableFollower;
    private final MachineStatusTracker board;
    private final List<KillTarget> planned;
    private final Consumer<DemoEvent> events;
    private final List<ProcessKill> kills = new ArrayList<>();

    /** Site whose worker or watcher was killed last. */
    private @Nullable SiteId site;

    ProcessKiller(
            DemoProcesses demoProcesses,
            DemoTableFollower demoTableFollower,
            MachineStatusTracker board,
            List<KillTarget> planned,
            Consumer<DemoEvent> events) {
        this.demoProcesses = demoProcesses;
        this.demoTableFollower = demoTableFollower;
        this.board = board;
        this.planned = new ArrayList<>(planned);
        this.events = events;
    }

    List<ProcessKill> kills() {
        return List.copyOf(kills);
    }

    /** Whether the fleet has recovered from all kills. */
    boolean hasRecovered() {
        return kills.isEmpty() || kills.get(kills.size() - 1).isOver();
    }

    /** Kills the component that is due. Returns whether the set of processes has changed. */
    boolean killNextIfDue() throws DemoProcessException {
        if (!hasRecovered()) {
            checkRecovery(kills.get(kills.size() - 1));
        }
        if (planned.isEmpty()
                || !hasRecovered()
                || board.ended() * THIRD < board.machines().size()) {
            return false;
        }
        KillTarget what = planned.get(0);
        ProcessKill kill = switch (what) {
            case LEADER -> killed(what, demoProcesses.killLeader());
            case BROKER -> {
                demoProcesses.killBroker();
                yield killed(what, DemoProcesses.BROKER);
            }
            case WORKER -> killed(what, killBusiestWorker());
            case WATCHER -> killed(what, killBusiestWatcher());
        };
        if (kill == null) {
            return false;
        }
        planned.remove(0);
        kills.add(kill);
        events.accept(new DemoEvent("killed", kill.process(), "the " + what.label()));
        return what != KillTarget.BROKER;
    }

    private @Nullable String killBusiestWorker() throws DemoProcessException {
        site = board.busiestSite();
        return site == null ? null : demoProcesses.killWorker(site);
    }

    private @Nullable String killBusiestWatcher() throws DemoProcessException {
        site = board.busiestSite();
        return site == null ? null : demoProcesses.killWatcher(site);
    }

    /** Records the time after the process is dead, so that later commits are certainly another's. */
    private static @Nullable ProcessKill killed(KillTarget what, @Nullable String process) {
        return process == null ? null : new ProcessKill(what, process, System.currentTimeMillis(), NEVER);
    }

    private void checkRecovery(ProcessKill last) {
        long recovered = switch (last.target()) {
            case LEADER, BROKER -> since(last, demoTableFollower.lastStart());
            case WORKER -> since(last, site == null ? 0 : demoTableFollower.lastReport(site));
            case WATCHER -> since(last, site == null ? 0 : demoTableFollower.lastWrite(site));
        };
        if (recovered != NEVER) {
            ProcessKill over = last.withRecoveredAt(recovered);
            kills.set(kills.size() - 1, over);
            events.accept(new DemoEvent("recovered", over.process(), Double.toString(over.seconds())));
        }
    }

    private static long since(ProcessKill last, long done) {
        return done > last.killedAt() ? done : NEVER;
    }
}
