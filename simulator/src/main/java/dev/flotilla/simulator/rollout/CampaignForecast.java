package dev.flotilla.simulator.rollout;

import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.RejectedRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The expected course of a campaign on the current fleet.
 *
 * @param rejected why the campaign would be rejected; null if it would be accepted
 * @param machines the number of machines that the campaign selects
 * @param clusters the number of clusters with such machines
 * @param end when the last of its attempts ends; null if none starts
 * @param waitingByGate machines that still wait when nothing more happens, by their first closed gate
 * @param waitingMachines some of these machines, with the closed gate
 * @param preparation what is prepared ahead of the upgrades; null if the campaign has no {@code prepare}
 */
public record CampaignForecast(
        @Nullable RejectedRecord rejected,
        int machines,
        int clusters,
        List<WaveForecast> waves,
        @Nullable Instant end,
        SortedMap<GateLabel, Integer> waitingByGate,
        List<WaitingMachine> waitingMachines,
        @Nullable PreparationForecast preparation) {

    /** How long each preparation takes in a forecast; nothing measures them. */
    public static final Duration PREPARATION = Duration.ofMinutes(10);

    /** When a wave begins and ends; null for what does not happen. */
    public record WaveForecast(
            String wave,
            int machines,
            boolean approval,
            @Nullable Instant startsAt,
            @Nullable Instant endsAt) {}

    /**
     * When machines are prepared; the instants are null if no preparation runs.
     *
     * @param machines how many are prepared in time, or already
     */
    public record PreparationForecast(
            int machines,
            @Nullable Instant startsAt,
            @Nullable Instant endsAt) {}

    /** A machine that the campaign does not upgrade. */
    public record WaitingMachine(MachineKey machine, ClosedGate gate) {}

    public CampaignForecast {
        waves = List.copyOf(waves);
        waitingByGate = Collections.unmodifiableSortedMap(new TreeMap<>(waitingByGate));
        waitingMachines = List.copyOf(waitingMachines);
    }

    static CampaignForecast rejected(RejectedRecord rejection) {
        return new CampaignForecast(rejection, 0, 0, List.of(), null, Collections.emptySortedMap(), List.of(), null);
    }
}
