package dev.flotilla.simulator.rollout;

import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.RejectedRecord;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a campaign on the fleet as it stands.
 *
 * @param rejected why it would not be taken; null where it would
 * @param machines machines that it is about
 * @param clusters clusters that those are in
 * @param end when the last of its attempts ended; null where none began
 * @param waitingByGate machines that still wait when nothing happens any more, by the first gate that is closed to them
 * @param waitingMachines some of these, with that gate in words
 */
public record CampaignForecast(
        @Nullable RejectedRecord rejected,
        int machines,
        int clusters,
        List<WaveForecast> waves,
        @Nullable Instant end,
        SortedMap<GateLabel, Integer> waitingByGate,
        List<WaitingMachine> waitingMachines) {

    /** When a wave of it begins and ends; null for what does not happen. */
    public record WaveForecast(
            String wave,
            int machines,
            boolean approval,
            @Nullable Instant startsAt,
            @Nullable Instant endsAt) {}

    /** A machine that is not reached. */
    public record WaitingMachine(MachineKey machine, ClosedGate gate) {}

    public CampaignForecast {
        waves = List.copyOf(waves);
        waitingByGate = Collections.unmodifiableSortedMap(new TreeMap<>(waitingByGate));
        waitingMachines = List.copyOf(waitingMachines);
    }

    static CampaignForecast rejected(RejectedRecord why) {
        return new CampaignForecast(why, 0, 0, List.of(), null, Collections.emptySortedMap(), List.of());
    }
}
