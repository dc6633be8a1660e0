package dev.flotilla.schemas.id;

/** A machine of the fleet, written {@code <site>/<namespace>/<name>}. */
public record MachineKey(SiteId site, String namespace, String name) implements ObjectKey, Comparable<MachineKey> {
    public MachineKey {
        NameValidator.require(NameValidator.problemOfLabel(namespace), "namespace", namespace);
        NameValidator.require(NameValidator.problemOfSubdomain(name), "machine", name);
    }

    @Override
    public int compareTo(MachineKey other) {
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
