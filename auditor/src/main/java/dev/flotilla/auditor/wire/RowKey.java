package dev.flotilla.auditor.wire;

/** A key of a table. */
public record RowKey(TopicName topic, String key) {
    private static final String MACHINE = "machine/";
    private static final String CLUSTER = "cluster/";
    private static final String CLUSTER_UPGRADE = "cluster-upgrade/";

    /** The key of a machine in a table of its site. */
    public static RowKey ofMachine(TopicName topicName, String id) {
        return new RowKey(topicName, MACHINE + id.substring(id.indexOf('/') + 1));
    }

    /** The object of a site's key as the fleet names it: {@code site/namespace/name}. */
    public String object() {
        int slash = key.indexOf('/');
        return topic.site() + "/" + (slash < 0 ? "" : key.substring(slash + 1));
    }

    public boolean isMachine() {
        return key.startsWith(MACHINE);
    }

    /** Whether its row is about a cluster that a campaign has opened. */
    public boolean isClusterUpgrade() {
        return key.startsWith(CLUSTER_UPGRADE);
    }

    public boolean isCluster() {
        return key.startsWith(CLUSTER);
    }

    @Override
    public String toString() {
        return topic.name() + " " + key;
    }
}
