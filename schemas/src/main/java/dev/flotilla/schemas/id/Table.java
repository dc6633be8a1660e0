package dev.flotilla.schemas.id;

import java.util.List;

/** The tables, one topic each or one for each site. All but the journal are compacted: the newest row of a key counts. */
public enum Table {
    INVENTORY(
            "inventory",
            true,
            1,
            List.of("management-watcher"),
            List.of("orchestrator", "cli"),
            "What a site's management cluster has: its heartbeat, clusters and machines."),
    INTENTS(
            "intents",
            true,
            1,
            List.of("management-watcher"),
            List.of("orchestrator"),
            "Upgrades that annotations on a site's objects request."),
    STATUS(
            "status",
            true,
            1,
            List.of("orchestrator"),
            List.of("management-watcher", "cli"),
            "The status of each machine, owner and cluster: attempts, failures, progress."),
    COMMANDS(
            "commands",
            true,
            4,
            List.of("orchestrator"),
            List.of("node-worker"),
            "Current commands to the site's workers."),
    PROGRESS(
            "progress",
            true,
            4,
            List.of("node-worker"),
            List.of("orchestrator", "node-worker"),
            "Progress of the site's workers with their commands."),
    CAMPAIGNS(
            "campaigns", false, 1, List.of("operators"), List.of("orchestrator"), "Campaigns as operators write them."),
    ORDERS(
            "orders",
            false,
            1,
            List.of("operators"),
            List.of("orchestrator"),
            "Orders to run, pause, abort, skip, retry, accept a removal, write off or adopt."),
    APPROVALS(
            "approvals",
            false,
            1,
            List.of("approvers"),
            List.of("orchestrator"),
            "Approvals of a wave, for one content hash of its campaign, and of a campaign that overlaps another."),
    FREEZES(
            "freezes",
            false,
            1,
            List.of("freezers"),
            List.of("orchestrator"),
            "Freezes of the fleet and of sites, and the orders that lift them."),
    AUDITOR_ORDERS(
            "auditor-orders",
            false,
            1,
            List.of("auditor"),
            List.of("orchestrator"),
            "The auditor's freeze of the fleet. Only an order on freezes lifts it."),
    POLICIES(
            "policies",
            false,
            1,
            List.of("operators"),
            List.of("orchestrator"),
            "Caps, freezes and settings of the fleet and of sites."),
    CAMPAIGN_STATUS(
            "campaign-status",
            false,
            1,
            List.of("orchestrator"),
            List.of("cli", "page"),
            "The status of campaigns and waves, accepted policies and time zone rules."),
    HEAD(
            "head",
            false,
            1,
            List.of("orchestrator"),
            List.of("everyone"),
            "How far the leader has decided, for the fleet and for each site."),
    JOURNAL(
            "journal",
            false,
            1,
            List.of("orchestrator"),
            List.of("audit", "explain", "replay"),
            "Every accepted input and every decision with its reason, in order, linked by hashes."),
    REJECTED(
            "rejected",
            false,
            1,
            List.of("orchestrator"),
            List.of("operators"),
            "Records that were not accepted, with the path of the problem and the reason."),
    LEADER(
            "leader",
            false,
            1,
            List.of(),
            List.of("orchestrator"),
            "Has no records: the consumer that owns its partition is the candidate for leader.");

    private final String label;
    private final boolean isPerSite;
    private final int partitions;
    private final List<String> writers;
    private final List<String> readers;
    private final String purpose;

    Table(String label, boolean ofSite, int partitions, List<String> writers, List<String> readers, String purpose) {
        this.label = label;
        this.isPerSite = ofSite;
        this.partitions = partitions;
        this.writers = writers;
        this.readers = readers;
        this.purpose = purpose;
    }

    public String label() {
        return label;
    }

    /** Whether each site has its own topic. */
    public boolean isPerSite() {
        return isPerSite;
    }

    public int partitions() {
        return partitions;
    }

    public List<String> writers() {
        return writers;
    }

    public List<String> readers() {
        return readers;
    }

    public String purpose() {
        return purpose;
    }

    /** Whether its rows are orders. Each table of orders needs another permission to write. */
    public boolean holdsOrders() {
        return switch (this) {
            case ORDERS, APPROVALS, FREEZES, AUDITOR_ORDERS -> true;
            default -> false;
        };
    }

    /** Whether only the newest row of a key counts. */
    public boolean compacted() {
        return this != JOURNAL;
    }
}
