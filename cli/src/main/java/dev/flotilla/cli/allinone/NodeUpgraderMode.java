package dev.flotilla.cli.allinone;

import java.util.Locale;

/** What fulfils the NodeUpgrades of the management cluster. */
enum NodeUpgraderMode {
    /** A node-upgrader, which runs Jobs on the nodes. */
    JOBS,
    /** Nothing runs: the Node gets the version that it would have. */
    SIMULATED;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
