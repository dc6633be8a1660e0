package dev.flotilla.schemas.id;

/** An object that owns machines, in a site's management cluster. */
public record OwnerKey(SiteId site, OwnerKind kind, String namespace, String name) implements ObjectKey {
    public OwnerKey {
        Names.require(Names.problemOfLabel(namespace), "namespace", namespace);
        Names.require(Names.problemOfSubdomain(name), "owner", name);
    }

    @Override
    public String toString() {
        return site.name() + "/" + kind.label() + "/" + namespace + "/" + name;
    }
}
