package dev.flotilla.schemas.topic;

import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import org.jspecify.annotations.Nullable;

/**
 * The topic of a table; for a table of sites also of one site.
 *
 * @param site null for a table of the fleet
 */
public record Topic(Table table, @Nullable SiteId site) {
    public static final String PREFIX = "flotilla.";

    public Topic {
        if (table.isPerSite() != (site != null)) {
            throw new IllegalArgumentException("table " + table.label()
                    + (table.isPerSite() ? " needs a site" : " has no topics for sites, but site is " + site));
        }
    }

    /** Returns the topic of a table of the fleet. */
    public static Topic of(Table table) {
        return new Topic(table, null);
    }

    /** Parses a topic's name; null if it is no topic of Flotilla. */
    public static @Nullable Topic parse(String name) {
        if (!name.startsWith(PREFIX)) {
            return null;
        }
        int dot = name.indexOf('.', PREFIX.length());
        String label = name.substring(PREFIX.length(), dot < 0 ? name.length() : dot);
        for (Table table : Table.values()) {
            if (table.label().equals(label)) {
                return dot < 0 ? ofFleet(table) : ofSite(table, name.substring(dot + 1));
            }
        }
        return null;
    }

    /** Returns the topic's name in Kafka. */
    public String name() {
        return PREFIX + table.label() + (site == null ? "" : "." + site.name());
    }

    @Override
    public String toString() {
        return name();
    }

    private static @Nullable Topic ofFleet(Table table) {
        return table.isPerSite() ? null : new Topic(table, null);
    }

    private static @Nullable Topic ofSite(Table table, String site) {
        return table.isPerSite() && NameValidator.problemOfOwnName(site) == null
                ? new Topic(table, new SiteId(site))
                : null;
    }
}
