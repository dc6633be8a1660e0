package dev.flotilla.schemas.id;

/** The kinds of objects that own machines. */
public enum OwnerKind {
    MACHINE_DEPLOYMENT("MachineDeployment"),
    MACHINE_SET("MachineSet"),
    CONTROL_PLANE("CK8sControlPlane"),
    MACHINE_POOL("MachinePool");

    private final String label;

    OwnerKind(String label) {
        this.label = label;
    }

    /** Returns the Kubernetes kind. */
    public String label() {
        return label;
    }
}
