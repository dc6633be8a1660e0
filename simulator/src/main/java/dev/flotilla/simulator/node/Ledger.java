package dev.flotilla.simulator.node;

import dev.flotilla.schemas.id.MachineKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every call that a node received, as the nodes tell it: the truth that no row can talk away. */
public final class Ledger {

    /**
     * A call to refresh.
     *
     * @param at when it was sent
     * @param changeId what the node answered; empty where there was nothing to do or where it refused
     * @param effective whether a refresh began by it
     * @param refused whether the node certainly did not take it
     * @param told whether the caller learned of the answer
     * @param attempt on whose behalf it was made
     * @param caller the process that made it
     */
    public record Call(
            MachineKey machine,
            long at,
            String changeId,
            boolean effective,
            boolean refused,
            boolean told,
            long attempt,
            String caller) {}

    /** Told of each call as it is made. */
    @FunctionalInterface
    public interface Listener {
        void called(Call call);
    }

    private final List<Call> calls = new ArrayList<>();
    private final Map<MachineKey, List<Call>> byMachine = new LinkedHashMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private int inFlight;
    private int maxInFlight;

    public void listen(Listener listener) {
        listeners.add(listener);
    }

    void add(Call call) {
        calls.add(call);
        byMachine.computeIfAbsent(call.machine(), absent -> new ArrayList<>()).add(call);
        for (Listener listener : listeners) {
            listener.called(call);
        }
    }

    void began() {
        inFlight++;
        maxInFlight = Math.max(maxInFlight, inFlight);
    }

    void ended() {
        inFlight--;
    }

    public List<Call> calls() {
        return Collections.unmodifiableList(calls);
    }

    public List<Call> calls(MachineKey machine) {
        return byMachine.getOrDefault(machine, List.of());
    }

    /** Nodes that refresh by our calls at this instant. */
    public int inFlight() {
        return inFlight;
    }

    public int maxInFlight() {
        return maxInFlight;
    }
}
