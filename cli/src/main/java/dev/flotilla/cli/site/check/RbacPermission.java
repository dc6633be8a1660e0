package dev.flotilla.cli.site.check;

import dev.flotilla.schemas.json.tree.JsonObjectReader;

/**
 * One request that a role allows.
 *
 * @param namespace empty for all namespaces and for cluster-scoped resources
 * @param resource resource with its subresource, such as {@code machines/status}
 * @param name empty for any name
 */
record RbacPermission(String namespace, String verb, String group, String resource, String name) {

    /** Attributes for a SubjectAccessReview. */
    JsonObjectReader attributes() {
        int slash = resource.indexOf('/');
        return new JsonObjectReader.Builder()
                .put("namespace", namespace)
                .put("verb", verb)
                .put("group", group)
                .put("resource", slash < 0 ? resource : resource.substring(0, slash))
                .put("subresource", slash < 0 ? "" : resource.substring(slash + 1))
                .put("name", name)
                .build();
    }

    @Override
    public String toString() {
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group) + (name.isEmpty() ? "" : " " + name)
                + (namespace.isEmpty() ? "" : " in namespace " + namespace);
    }
}
