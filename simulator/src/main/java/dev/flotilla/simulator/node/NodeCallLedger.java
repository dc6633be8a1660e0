package dev.flotilla.simulator.node;

import dev.flotilla.schemas.id.MachineKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every call that a node received, as the nodes tell it: the truth that no row can talk away. */
public final class NodeCallLedger {

    /**
     * A call to refresh.
     *
     * @param calledAt when it was sent
     * @param changeId what the node answered; empty where there was nothing to do or where it refused
     * @param effective whether a refresh began by it
     * @param refused whether the node certainly did not take it
     * @param responseDelivered whether the caller learned of the answer
     * @param attempt on whose behalf it was made
     * @param caller the process that made it
     */
    public record NodeCall(
            MachineKey machine,
            long calledAt,
            String changeId,
            boolean effective,
            boolean refused,
            boolean responseDelivered,
            long attempt,
            String caller) {}

    /** Told of each call as it is made. */
    @FunctionalInterface
    public interface NodeCallListener {
        void onCall(NodeCall call);
    }

    private final List<NodeCall> calls = new ArrayList<>();
    private final Map<MachineKey, List<NodeCall>> byMachine = new LinkedHashMap<>();
    private final List<NodeCallListener> listeners = new ArrayList<>();
    private int inFlight;
    private int maxInFlight;

    public void addListener(NodeCallListener nodeCallListener) {
        listeners.add(nodeCallListener);
    }

    void add(NodeCall call) {
        calls.add(call);
        byMachine.computeIfAbsent(call.machine(), absent -> new ArrayList<>()).add(call);
        for (NodeCallListener nodeCallListener : listeners) {
            nodeCallListener.onCall(call);
        }
    }

    void refreshStarted() {
        inFlight++;
        maxInFlight = Math.max(maxInFlight, inFlight);
    }

    void refreshEnded() {
        inFlight--;
    }

    public List<NodeCall> calls() {
        return Collections.unmodifiableList(calls);
    }

    public List<NodeCall> calls(MachineKey machine) {
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
