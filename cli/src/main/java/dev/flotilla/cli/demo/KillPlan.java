package dev.flotilla.cli.demo;

import dev.flotilla.cli.demo.stage.HttpJson;
import dev.flotilla.cli.demo.stage.Stage;
import dev.flotilla.cli.demo.stage.StageFailure;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
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

    /** Whose worker was killed last. */
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
            case WATCHER -> simulated(what);
        };
        if (kill == null) {
            return false;
        }
        planned.remove(0);
        done.add(kill);
        events.accept(new DemoEvent("killed", kill.process(), "the " + what.label()));
        return what == Victim.LEADER || what == Victim.WORKER;
    }

    private @Nullable String killBusiestWorker() throws StageFailure, InterruptedException {
        site = board.busiestSite();
        return site == null ? null : stage.killWorker(site);
    }

    /** Timed when it is certainly dead: what is committed later is another's. */
    private static @Nullable Kill killed(Victim what, @Nullable String process) {
        return process == null ? null : new Kill(what, process, System.currentTimeMillis(), NEVER);
    }

    /** Whoever is simulated is killed by whoever simulates it. */
    private @Nullable Kill simulated(Victim what) {
        Obj answer = HttpJson.post(stage.uri(Stage.SITES).resolve("/kill?what=" + what.label()));
        return answer != null
                        && answer.get("process") instanceof Tree.Text process
                        && answer.get("atMillis") instanceof Tree.Whole at
                ? new Kill(what, process.value(), at.value(), NEVER)
                : null;
    }

    private void watch(Kill last) {
        long recovered = switch (last.what()) {
            case LEADER, BROKER -> spectator.lastStart() > last.at() ? spectator.lastStart() : NEVER;
            case WORKER -> workerRecovery(last);
            case WATCHER -> simulatedRecovery(last);
        };
        if (recovered != NEVER) {
            Kill over = last.recovered(recovered);
            done.set(done.size() - 1, over);
            events.accept(new DemoEvent("recovered", over.process(), Double.toString(over.seconds())));
        }
    }

    private long workerRecovery(Kill last) {
        long report = site == null ? 0 : spectator.lastReport(site);
        return report > last.at() ? report : NEVER;
    }

    private long simulatedRecovery(Kill last) {
        Obj stats = HttpJson.get(stage.uri(Stage.SITES).resolve("/stats"));
        if (stats != null && stats.get("kills") instanceof Tree.Arr kills) {
            for (Tree each : kills.items()) {
                if (each instanceof Obj kill
                        && kill.get("process") instanceof Tree.Text process
                        && process.value().equals(last.process())
                        && kill.get("recoveredAtMillis") instanceof Tree.Whole at) {
                    return at.value();
                }
            }
        }
        return NEVER;
    }
}
