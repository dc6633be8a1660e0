package dev.flotilla.schemas.kube;

/** What a NodeUpgrade does, if its spec has a stage; without one it prepares and upgrades. */
public enum NodeUpgradeStage {
    /** Fetches what the upgrade needs, and changes nothing that runs. */
    PREPARE("Prepare"),
    /** Upgrades a node that was prepared. */
    UPGRADE("Upgrade");

    private final String label;

    NodeUpgradeStage(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
