package dev.flotilla.schemas.id;

/** A site: one management cluster and what it manages. */
public record SiteId(String name) implements Scope, Comparable<SiteId> {
    public SiteId {
        Names.require(Names.problemOfOwnName(name), "site", name);
    }

    @Override
    public int compareTo(SiteId other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
