package dev.flotilla.cli.site.check;

import dev.flotilla.schemas.json.tree.JsonObjectReader;

/**
 * One request that a role allows.
 *
 * @param namespace empty for all of them, or for what is in none
 * @param resource with what is below it, such as {@code machines/status}
 * @param name empty for any
 */
record RbacPermission(String namespace, String verb, String group, String resource, String name) {

    /** As an API server is asked about it. */
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
