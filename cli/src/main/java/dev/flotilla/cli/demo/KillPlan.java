package dev.flotilla.cli.demo;

import dev.flotilla.cli.demo.stage.Stage;
import dev.flotilla.cli.demo.stage.StageFailure;
import dev.flotilla.schemas.id.SiteId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Kills parts one after the other, once a third of the machines is done, and sees when the fleet is served again. */
final class KillPlan {
    private static final int THIRD = 3;
    private static final long NEVER = -1;

    private final Stage stage;
    private final Spectator spectator;
    private final Scoreboard board;
    private final List<Victim> planned;
    private final Consumer<DemoEvent> events;
    private final List<Kill> done = new ArrayList<>();

    /** Whose worker or watcher was killed last. */
    private @Nullable SiteId site;

    KillPlan(Stage stage, Spectator spectator, Scoreboard board, List<Victim> planned, Consumer<DemoEvent> events) {
        this.stage = stage;
        this.spectator = spectator;
        this.board = board;
        this.planned = new ArrayList<>(planned);
        this.events = events;
    }

    List<Kill> done() {
        return List.copyOf(done);
    }

    /** Whether nothing that was killed is still missed. */
    boolean recovered() {
        return done.isEmpty() || done.get(done.size() - 1).isOver();
    }

    /** Kills what is to be killed now. Returns whether other processes run than before. */
    boolean look() throws StageFailure, InterruptedException {
        if (!recovered()) {
            watch(done.get(done.size() - 1));
        }
        if (planned.isEmpty()
                || !recovered()
                || board.ended() * THIRD < board.machines().size()) {
            return false;
        }
        Victim what = planned.get(0);
        Kill kill = switch (what) {
            case LEADER -> killed(what, stage.killLeader());
            case BROKER -> {
                stage.killBroker();
                yield killed(what, Stage.BROKER);
            }
            case WORKER -> killed(what, killBusiestWorker());
            case WATCHER -> killed(what, killBusiestWatcher());
        };
        if (kill == null) {
            return false;
        }
        planned.remove(0);
        done.add(kill);
        events.accept(new DemoEvent("killed", kill.process(), "the " + what.label()));
        return what != Victim.BROKER;
    }

    private @Nullable String killBusiestWorker() throws StageFailure, InterruptedException {
        site = board.busiestSite();
        return site == null ? null : stage.killWorker(site);
    }

    private @Nullable String killBusiestWatcher() throws StageFailure, InterruptedException {
        site = board.busiestSite();
        return site == null ? null : stage.killWatcher(site);
    }

    /** Timed when it is certainly dead: what is committed later is another's. */
    private static @Nullable Kill killed(Victim what, @Nullable String process) {
        return process == null ? null : new Kill(what, process, System.currentTimeMillis(), NEVER);
    }

    private void watch(Kill last) {
        long recovered = switch (last.what()) {
            case LEADER, BROKER -> since(last, spectator.lastStart());
            case WORKER -> since(last, site == null ? 0 : spectator.lastReport(site));
            case WATCHER -> since(last, site == null ? 0 : spectator.lastWrite(site));
        };
        if (recovered != NEVER) {
            Kill over = last.recovered(recovered);
            done.set(done.size() - 1, over);
            events.accept(new DemoEvent("recovered", over.process(), Double.toString(over.seconds())));
        }
    }

    private static long since(Kill last, long done) {
        return done > last.at() ? done : NEVER;
    }
}
