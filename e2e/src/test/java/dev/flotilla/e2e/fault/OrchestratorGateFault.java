package dev.flotilla.e2e.fault;

import dev.flotilla.core.fleet.StartCandidate;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import java.util.List;

/** What is wrong with gates of an orchestrator; everything else of it is as it should be. */
public enum OrchestratorGateFault {
    /** One machine more than the fleet's cap is started. */
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
    /** Workers do not wait for their control plane, and may show a newer version than it does. */
    WORKERS_FIRST(GateLabel.CLUSTER_ORDER, GateLabel.MACHINE_NOT_ELIGIBLE) {
        @Override
        boolean isOpen(Gate gate, StartCandidate candidate) {
            return gate.isOpen(candidate) || !candidate.machine().isControlPlane();
        }
    },
    /** A mistake in the program: it cannot say whether the gate is open. */
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
