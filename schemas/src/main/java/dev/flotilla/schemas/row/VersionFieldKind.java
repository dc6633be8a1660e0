package dev.flotilla.schemas.row;

/** Which object has the version of machines. */
public enum VersionFieldKind {
    /** The Cluster: its topology controller writes the version of all its other objects. */
    TOPOLOGY("topology", "Cluster"),
    CONTROL_PLANE("control-plane", "control plane"),
    MACHINE_DEPLOYMENT("machine-deployment", "MachineDeployment");

    private final String label;
    private final String noun;

    VersionFieldKind(String label, String noun) {
        this.label = label;
        this.noun = noun;
    }

    public String label() {
        return label;
    }

    /** Returns an object of this kind, as text. */
    public String describe(String name) {
        return noun + " " + name;
    }
}
