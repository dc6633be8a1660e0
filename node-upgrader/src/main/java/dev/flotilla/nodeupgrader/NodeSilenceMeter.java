package dev.flotilla.nodeupgrader;

import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradePhase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Measures how long the nodes of upgrades that run have not reported, and counts the upgrades that have passed their deadlines. */
final class NodeSilenceMeter {
    private final InstantSource clock;
    private final Map<String, LatestReport> reports = new ConcurrentHashMap<>();

    /**
     * @param heartbeat by the node's clock, which may be wrong
     * @param seenAt by this process's clock
     */
    private record LatestReport(@Nullable Instant heartbeat, Instant seenAt, Instant deadline) {}

    NodeSilenceMeter(InstantSource clock) {
        this.clock = clock;
    }

    void observe(NodeUpgrade nodeUpgrade) {
        if (nodeUpgrade.status().phase() != NodeUpgradePhase.RUNNING) {
            return;
        }
        Instant heartbeat = nodeUpgrade.status().lastHeartbeat();
        Instant now = clock.instant();
        reports.compute(
                nodeUpgrade.toString(),
                (key, before) -> before != null && Objects.equals(before.heartbeat(), heartbeat)
                        ? before
                        : new LatestReport(heartbeat, now, nodeUpgrade.deadline()));
    }

    void forget(String namespaceAndName) {
        reports.remove(namespaceAndName);
    }

    /** Returns the longest silence; 0 if no upgrade runs. */
    double longestSilenceSeconds() {
        Instant now = clock.instant();
        return reports.values().stream()
                .mapToLong(
                        each -> Math.max(0, Duration.between(each.seenAt(), now).toSeconds()))
                .max()
                .orElse(0);
    }

    double overdueUpgrades() {
        Instant now = clock.instant();
        return reports.values().stream()
                .filter(each -> now.isAfter(each.deadline()))
                .count();
    }
}
