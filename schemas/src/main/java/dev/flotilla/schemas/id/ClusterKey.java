package dev.flotilla.schemas.id;

/** A cluster of the fleet, written {@code <site>/<namespace>/<name>}. */
public record ClusterKey(SiteId site, String namespace, String name) implements ObjectKey, Comparable<ClusterKey> {
    public ClusterKey {
        NameValidator.require(NameValidator.problemOfLabel(namespace), "namespace", namespace);
        NameValidator.require(NameValidator.problemOfSubdomain(name), "cluster", name);
    }

    @Override
    public int compareTo(ClusterKey other) {
        int bySite = site.compareTo(other.site);
        if (bySite != 0) {
            return bySite;
        }
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return site.name() + "/" + namespace + "/" + name;
    }
}
