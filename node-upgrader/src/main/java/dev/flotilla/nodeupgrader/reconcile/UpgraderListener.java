package dev.flotilla.nodeupgrader.reconcile;

import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeStatus;
import dev.flotilla.nodeupgrader.decision.UpgradeDecision;

/** Observes the node-upgrader, to log, count and show its health. Calls come from several threads. */
public interface UpgraderListener {
    /** A NodeUpgrade was found that has not ended. */
    void upgradeOpened(String namespaceAndName, int openUpgrades);

    /** A NodeUpgrade has ended, was deleted, or is no longer followed. */
    void upgradeClosed(String namespaceAndName, int openUpgrades);

    /** A decision is about to be performed; a test may end the process here. */
    void decided(NodeUpgrade nodeUpgrade, UpgradeDecision decision);

    /** A status was written. */
    void statusWritten(String namespaceAndName, NodeUpgradeStatus before, NodeUpgradeStatus after);

    /** A NodeUpgrade that had ended long ago was deleted. */
    void upgradeDeleted(String namespaceAndName);

    /** A read or a write has failed and is tried again. */
    void requestFailed(String namespaceAndName, String reason);

    /** The NodeUpgrades can be read. */
    void watchSucceeded();

    /** The NodeUpgrades cannot be read. */
    void watchFailed(String reason);

    /** A bug has ended a thread. */
    void loopFailed(Throwable bug);
}
