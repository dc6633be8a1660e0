package dev.flotilla.e2e.fault;

import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import java.util.List;

/** Faults in the gates of an orchestrator. */
public enum OrchestratorGateFault {
    /** Starts one machine more than the fleet's cap. */
    CAP_OFF_BY_ONE(GateLabel.FLEET_CAP) {
        @Override
        boolean isOpen(Gate gate, StartCandidate candidate) {
            if (gate.isOpen(candidate)) {
                return true;
            }
            ClosedGate closedGate = gate.explain(candidate);
            return closedGate.actual().equals(closedGate.required());
        }
    },
    /** Starts workers before their control plane. */
    WORKERS_FIRST(GateLabel.CLUSTER_ORDER, GateLabel.MACHINE_NOT_ELIGIBLE) {
        @Override
        boolean isOpen(Gate gate, StartCandidate candidate) {
            return gate.isOpen(candidate) || !candidate.machine().isControlPlane();
        }
    },
    /** Throws an exception when the gate is evaluated. */
    THROWS(GateLabel.CLUSTER_ORDER) {
        @Override
        boolean isOpen(Gate gate, StartCandidate candidate) {
            throw new IllegalStateException(
                    "no opinion about " + candidate.machine().key());
        }
    };

    public static final String PROPERTY = "flotilla.e2e.fault";

    private final List<GateLabel> labels;

    OrchestratorGateFault(GateLabel... labels) {
        this.labels = List.of(labels);
    }

    abstract boolean isOpen(Gate gate, StartCandidate candidate);

    GateChain gates() {
        GateChain gates = GateChain.standard();
        for (GateLabel label : labels) {
            gates = gates.with(
                    label,
                    gate -> new Gate(
                            gate.label(),
                            gate.level(),
                            gate.leaseEffect(),
                            candidate -> isOpen(gate, candidate),
                            gate.explain()));
        }
        return gates;
    }
}
