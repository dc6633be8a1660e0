package dev.flotilla.schemas.id;

/** The name of a site: one management cluster and what it manages. */
public record SiteId(String name) implements PolicyScope, Comparable<SiteId> {
    public SiteId {
        NameValidator.require(NameValidator.problemOfOwnName(name), "site", name);
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
