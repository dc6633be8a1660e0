package dev.flotilla.nodeupgrader;

import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeStatus;
import dev.flotilla.nodeupgrader.decision.UpgradeDecision;
import dev.flotilla.nodeupgrader.reconcile.UpgraderListener;

/** Ignores all events but a bug. */
public class UpgraderListenerStub implements UpgraderListener {
    @Override
    public void upgradeOpened(String namespaceAndName, int openUpgrades) {
        // Ignored.
    }

    @Override
    public void upgradeClosed(String namespaceAndName, int openUpgrades) {
        // Ignored.
    }

    @Override
    public void decided(NodeUpgrade nodeUpgrade, UpgradeDecision decision) {
        // Ignored.
    }

    @Override
    public void statusWritten(String namespaceAndName, NodeUpgradeStatus before, NodeUpgradeStatus after) {
        // Ignored.
    }

    @Override
    public void upgradeDeleted(String namespaceAndName) {
        // Ignored.
    }

    @Override
    public void requestFailed(String namespaceAndName, String reason) {
        // It is tried again.
    }

    @Override
    public void watchSucceeded() {
        // Ignored.
    }

    @Override
    public void watchFailed(String reason) {
        // It is tried again.
    }

    @Override
    public void loopFailed(Throwable bug) {
        throw new AssertionError(bug);
    }
}
