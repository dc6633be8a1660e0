package dev.flotilla.e2e.fault;

import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.gate.Closed;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.core.gate.Gates;

/** What is wrong with one gate of an orchestrator; everything else of it is as it should be. */
public enum Fault {
    /** One machine more than the fleet's cap is started. */
    CAP_OFF_BY_ONE(GateLabel.FLEET_CAP) {
        @Override
        boolean isOpen(Gate gate, Candidate candidate) {
            if (gate.isOpen(candidate)) {
                return true;
            }
            Closed closed = gate.explain(candidate);
            return closed.have().equals(closed.need());
        }
    },
    /** Workers do not wait for their control plane. */
    WORKERS_FIRST(GateLabel.CLUSTER_ORDER) {
        @Override
        boolean isOpen(Gate gate, Candidate candidate) {
            return gate.isOpen(candidate) || !candidate.machine().isControlPlane();
        }
    },
    /** A mistake in the program: it cannot say whether the gate is open. */
    THROWS(GateLabel.CLUSTER_ORDER) {
        @Override
        boolean isOpen(Gate gate, Candidate candidate) {
            throw new IllegalStateException(
                    "no opinion about " + candidate.machine().key());
        }
    };

    public static final String PROPERTY = "flotilla.e2e.fault";

    private final GateLabel label;

    Fault(GateLabel label) {
        this.label = label;
    }

    abstract boolean isOpen(Gate gate, Candidate candidate);

    Gates gates() {
        return Gates.standard()
                .with(
                        label,
                        gate -> new Gate(
                                gate.label(),
                                gate.level(),
                                gate.hold(),
                                candidate -> isOpen(gate, candidate),
                                gate.explain()));
    }
}
