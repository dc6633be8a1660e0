package dev.flotilla.schemas.topic;

import java.util.List;

/** Every topic there is. All but the journal are tables: compacted, the newest row of a key is the truth. */
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
            "What annotations on a site's objects ask for."),
    STATUS(
            "status",
            true,
            1,
            List.of("orchestrator"),
            List.of("management-watcher", "cli"),
            "What was decided and what came of it, a row for each machine, owner and cluster."),
    COMMANDS(
            "commands",
            true,
            4,
            List.of("orchestrator"),
            List.of("node-worker"),
            "What the site's workers are to do now."),
    PROGRESS(
            "progress",
            true,
            4,
            List.of("node-worker"),
            List.of("orchestrator", "node-worker"),
            "How far the site's workers are with it."),
    CAMPAIGNS(
            "campaigns",
            false,
            1,
            List.of("operators"),
            List.of("orchestrator"),
            "The campaigns as operators specify them."),
    ORDERS(
            "orders",
            false,
            1,
            List.of("operators"),
            List.of("orchestrator"),
            "Run, pause, abort, skip, retry, accept a removal, write off, adopt."),
    APPROVALS(
            "approvals",
            false,
            1,
            List.of("approvers"),
            List.of("orchestrator"),
            "Approvals: of a wave in one edition of its campaign, and of a campaign that overlaps with another."),
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
            "The auditor's freeze of the fleet. Nothing here lifts one."),
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
            "What the orchestrator made of campaigns, waves and policies."),
    HEAD(
            "head",
            false,
            1,
            List.of("orchestrator"),
            List.of("everyone"),
            "How far the orchestrator has decided, for the fleet and for each site."),
    JOURNAL(
            "journal",
            false,
            1,
            List.of("orchestrator"),
            List.of("audit", "explain", "replay"),
            "Every accepted input and every decision with its reason, in order, hash-chained."),
    REJECTED(
            "rejected",
            false,
            1,
            List.of("orchestrator"),
            List.of("operators"),
            "Records that could not be taken, with where they stand and why."),
    LEADER(
            "leader",
            false,
            1,
            List.of(),
            List.of("orchestrator"),
            "Holds no records: owning its partition is the hint of who leads.");

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

    /** Whether each site has a topic of its own. */
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

    /** Whether its rows are orders: each table of them is another right to write. */
    public boolean holdsOrders() {
        return switch (this) {
            case ORDERS, APPROVALS, FREEZES, AUDITOR_ORDERS -> true;
            default -> false;
        };
    }

    /** Whether the newest row of a key is all that counts. */
    public boolean compacted() {
        return this != JOURNAL;
    }
}
