package dev.flotilla.managementwatcher.view;

/** Names an object of a kind within its site. */
public record NamespacedName(String namespace, String name) implements Comparable<NamespacedName> {
    @Override
    public int compareTo(NamespacedName other) {
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace == 0 ? name.compareTo(other.name) : byNamespace;
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
