package dev.flotilla.schemas.topic;

import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.id.SiteId;
import org.jspecify.annotations.Nullable;

/**
 * One topic: a table, and for the tables of sites the site.
 *
 * @param site null for a table of the fleet
 */
public record Topic(Table table, @Nullable SiteId site) {
    public static final String PREFIX = "flotilla.";

    public Topic {
        if (table.isPerSite() != (site != null)) {
            throw new IllegalArgumentException("topic of table " + table.label() + " and site " + site);
        }
    }

    /** The topic of a table of the fleet. */
    public static Topic of(Table table) {
        return new Topic(table, null);
    }

    /** The topic that a name names, or null. */
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

    /** The topic's name in Kafka. */
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
