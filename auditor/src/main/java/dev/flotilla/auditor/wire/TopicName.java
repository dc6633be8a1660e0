package dev.flotilla.auditor.wire;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The table of a topic, and its site for a table of sites.
 *
 * @param site empty for a table of the fleet
 */
public record TopicName(String table, String site) {
    public static final String PREFIX = "flotilla.";
    public static final String JOURNAL = PREFIX + "journal";
    public static final String HEAD = PREFIX + "head";
    public static final String AUDITOR_ORDERS = PREFIX + "auditor-orders";

    private static final Set<String> OF_SITES = Set.of("inventory", "intents", "status", "commands", "progress");
    private static final Set<String> OF_ORDERS = Set.of("orders", "approvals", "freezes", "auditor-orders");
    private static final Set<String> OF_FLEET =
            Set.of("campaigns", "policies", "campaign-status", "head", "journal", "rejected");
    private static final Set<String> INPUTS = Set.of("inventory", "intents", "campaigns", "policies");

    private static final Set<String> IN_PARTS = Set.of("commands", "progress");
    private static final int PARTS = 4;

    /** The topic of a name, or null if the auditor does not read it. */
    public static @Nullable TopicName parse(String name) {
        if (!name.startsWith(PREFIX)) {
            return null;
        }
        String rest = name.substring(PREFIX.length());
        int dot = rest.indexOf('.');
        if (dot < 0) {
            return OF_FLEET.contains(rest) || OF_ORDERS.contains(rest) ? new TopicName(rest, "") : null;
        }
        String table = rest.substring(0, dot);
        return OF_SITES.contains(table) && dot + 1 < rest.length()
                ? new TopicName(table, rest.substring(dot + 1))
                : null;
    }

    public String name() {
        return PREFIX + table + (site.isEmpty() ? "" : "." + site);
    }

    /** Whether other processes write it and the journal shows which of its rows were accepted. */
    public boolean isInput() {
        return INPUTS.contains(table) || isOrderTable();
    }

    /** Whether its rows are orders. {@link OperatorOrder} says which order belongs in which topic. */
    public boolean isOrderTable() {
        return OF_ORDERS.contains(table);
    }

    /** The number of partitions that it must have: no process reads rows in others. */
    public int partitions() {
        return IN_PARTS.contains(table) ? PARTS : 1;
    }

    public boolean isTable(String name) {
        return table.equals(name);
    }
}
