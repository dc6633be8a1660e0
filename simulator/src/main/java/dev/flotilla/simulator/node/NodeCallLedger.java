package dev.flotilla.simulator.node;

import dev.flotilla.schemas.id.MachineKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every refresh call that a node received, recorded by the nodes themselves; no row can contradict it. */
public final class NodeCallLedger {

    /**
     * A call to refresh.
     *
     * @param calledAt when the call was sent
     * @param changeId the change that the node returned; empty if there was nothing to do or the node rejected the call
     * @param effective whether the call started a refresh
     * @param rejected whether the node certainly rejected the call
     * @param responseDelivered whether the caller received the response
     * @param attempt the attempt that the call was made for
     * @param caller the process that made it
     */
    public record NodeCall(
            MachineKey machine,
            long calledAt,
            String changeId,
            boolean effective,
            boolean rejected,
            boolean responseDelivered,
            long attempt,
            String caller) {}

    /** Called for each call when it is made. */
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

    /** Nodes that currently refresh because of a call. */
    public int inFlight() {
        return inFlight;
    }

    public int maxInFlight() {
        return maxInFlight;
    }
}
