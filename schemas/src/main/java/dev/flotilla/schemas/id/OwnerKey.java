package dev.flotilla.schemas.id;

/** The key of an object that owns machines, in a site's management cluster. */
public record OwnerKey(SiteId site, OwnerKind kind, String namespace, String name) implements ObjectKey {
    public OwnerKey {
        NameValidator.require(NameValidator.problemOfLabel(namespace), "namespace", namespace);
        NameValidator.require(NameValidator.problemOfSubdomain(name), "owner", name);
    }

    @Override
    public String toString() {
        return site.name() + "/" + kind.label() + "/" + namespace + "/" + name;
    }
}
