package dev.flotilla.simulator.play;

import dev.flotilla.core.explain.Explain;
import dev.flotilla.core.explain.Explanation;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.Gates;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Failure;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.Row;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.run.World;
import dev.flotilla.simulator.world.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds up what came of a play. */
final class Results {
    private final PlaySpec spec;
    private final World world;
    private final Scoreboard board;
    private final Refreshes refreshes;
    private final Kills kills;
    private final Campaign campaign;

    Results(PlaySpec spec, World world, Scoreboard board, Refreshes refreshes, Kills kills, Campaign campaign) {
        this.spec = spec;
        this.world = world;
        this.board = board;
        this.refreshes = refreshes;
        this.kills = kills;
        this.campaign = campaign;
    }

    PlayResult of(long accepted, long lastEnd) {
        CampaignStatus status = world.desk().status(campaign.name());
        FleetState state = state();
        int succeeded = 0;
        int unchanged = 0;
        int mostCalls = 0;
        List<PlayResult.Rest> rest = new ArrayList<>();
        for (SimMachine machine : world.fleet().machines()) {
            Entry entry = Scoreboard.entry(board.status(machine.key()));
            Outcome outcome = entry == null ? Outcome.OPEN : entry.outcome();
            succeeded += outcome.atTarget() ? 1 : 0;
            unchanged += outcome == Outcome.UNCHANGED ? 1 : 0;
            mostCalls = Math.max(mostCalls, calls(machine.key()));
            if (!outcome.atTarget()) {
                rest.add(rest(machine.key(), entry, outcome, status, state));
            }
        }
        rest.sort(Comparator.comparing(PlayResult.Rest::machine));
        return new PlayResult(
                spec.machines(),
                succeeded,
                unchanged,
                rest,
                campaign.name().toString(),
                campaign.spec().target().text(),
                status == null ? "not accepted" : status.state().label(),
                waves(accepted),
                spec.cap(),
                world.ledger().maxInFlight(),
                accepted < 0 ? -1 : accepted - Scheduler.BEGIN,
                accepted < 0 || lastEnd < 0 ? 0 : lastEnd - accepted,
                Ideal.millis(work(), spec.cap()),
                world.ledger().calls().size(),
                mostCalls,
                kills.done().stream().map(Results::kill).toList(),
                world.checker().checked(),
                world.verdicts().all());
    }

    private int calls(MachineKey machine) {
        return world.ledger().calls(machine).size();
    }

    /** The rows as decided, in a state of our own: asking must not touch anybody's. */
    private FleetState state() {
        FleetState state = new FleetState();
        for (Row row : world.checker().rows().all()) {
            state.put(row);
        }
        return state;
    }

    private PlayResult.Rest rest(
            MachineKey key, @Nullable Entry entry, Outcome outcome, @Nullable CampaignStatus status, FleetState state) {
        MachineStatus row = board.status(key);
        Failure failure = row == null ? null : row.lastFailure();
        boolean over = status != null && status.state().over();
        PlayResult.Standing standing = switch (outcome) {
            case QUARANTINED -> PlayResult.Standing.QUARANTINED;
            case SKIPPED -> PlayResult.Standing.SKIPPED;
            default ->
                over && entry != null && entry.failedAttempts() > 0
                        ? PlayResult.Standing.FAILED
                        : PlayResult.Standing.WAITING;
        };
        return new PlayResult.Rest(
                key,
                standing,
                standing == PlayResult.Standing.WAITING ? gate(key, state) : null,
                failure == null ? null : failure.failureClass().label(),
                failure == null ? null : failure.reason().label(),
                calls(key));
    }

    private @Nullable String gate(MachineKey key, FleetState state) {
        Instant now = world.scheduler().instant();
        Explanation explanation = Explain.machine(state, Gates.standard(), key, now);
        return explanation.closed().isEmpty()
                ? null
                : explanation.closed().get(0).gate().label();
    }

    private List<PlayResult.WaveResult> waves(long accepted) {
        List<PlayResult.WaveResult> waves = new ArrayList<>();
        for (WaveProgress wave : board.progress()) {
            WaveStatus status = board.status(new WaveKey(campaign.name(), wave.name()));
            waves.add(new PlayResult.WaveResult(
                    wave.name(),
                    wave.machines(),
                    wave.succeeded(),
                    since(accepted, status == null ? null : status.opened()),
                    since(accepted, status == null ? null : status.closed())));
        }
        return waves;
    }

    private static long since(long accepted, @Nullable Instant instant) {
        return instant == null ? -1 : Math.max(0, instant.toEpochMilli() - accepted);
    }

    /** What was done, as the ideal has to do it too. */
    private List<Ideal.WaveWork> work() {
        List<List<Ideal.ClusterWork>> waves = new ArrayList<>();
        board.waves().forEach(wave -> waves.add(new ArrayList<>()));
        for (SimCluster cluster : world.fleet().clusters()) {
            List<Long> controlPlane = new ArrayList<>();
            List<Long> workers = new ArrayList<>();
            List<Long> failing = new ArrayList<>();
            int wave = 0;
            int allWorkers = 0;
            for (SimMachine machine : cluster.machines()) {
                wave = board.wave(cluster.key(), machine.key());
                allWorkers += machine.role() == Role.WORKER ? 1 : 0;
                long busy = refreshes.busy(machine.key());
                Entry entry = Scoreboard.entry(board.status(machine.key()));
                if (busy > 0) {
                    (machine.role() == Role.CONTROL_PLANE ? controlPlane : workers).add(busy);
                }
                if (busy > 0 && (entry == null || !entry.outcome().atTarget())) {
                    failing.add(busy);
                }
            }
            waves.get(wave)
                    .add(new Ideal.ClusterWork(
                            controlPlane, workers, PlayFleet.MAX_UNAVAILABLE.of(allWorkers), failing));
        }
        List<Ideal.WaveWork> work = new ArrayList<>();
        for (int i = 0; i < waves.size(); i++) {
            work.add(new Ideal.WaveWork(waves.get(i), board.waves().get(i).successPercent()));
        }
        return work;
    }

    private static PlayResult.KillResult kill(Kills.Kill kill) {
        return new PlayResult.KillResult(
                kill.what(),
                kill.process(),
                kill.at() - Scheduler.BEGIN,
                kill.recovered() < 0 ? -1 : kill.recovered() - kill.at());
    }
}
