package dev.flotilla.cli.site.check;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.YamlReader;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Permissions that the roles of a manifest grant, in order. They are read from the deployed manifests, so that there is
 * no second list.
 */
final class RolePermissions {
    private static final Pattern NEXT_DOCUMENT = Pattern.compile("^---\n", Pattern.MULTILINE);

    /** Limit of a manifest; a role with the names of all reviewed clusters is far shorter. */
    private static final int MOST_CHARACTERS = 1024 * 1024;

    private RolePermissions() {}

    static List<RbacPermission> parseManifest(String manifest) {
        Set<RbacPermission> rights = new LinkedHashSet<>();
        for (String document : NEXT_DOCUMENT.split(manifest, -1)) {
            KubeObject role = read(document);
            for (KubeObject rule : role.list("rules")) {
                add(rights, role.namespace(), rule);
            }
        }
        return List.copyOf(rights);
    }

    private static KubeObject read(String document) {
        if (YamlReader.read(document, MOST_CHARACTERS) instanceof ParseResult.ParsedDocument parsedDocument
                && parsedDocument.value() instanceof JsonObjectReader jsonObjectReader) {
            return new KubeObject(jsonObjectReader);
        }
        throw new IllegalStateException("a manifest of this build cannot be parsed");
    }

    private static void add(Set<RbacPermission> rights, String namespace, KubeObject rule) {
        List<String> names = new ArrayList<>(rule.texts("resourceNames"));
        if (names.isEmpty()) {
            names.add("");
        }
        for (String group : rule.texts("apiGroups")) {
            for (String resource : rule.texts("resources")) {
                for (String verb : rule.texts("verbs")) {
                    names.forEach(name -> rights.add(new RbacPermission(namespace, verb, group, resource, name)));
                }
            }
        }
    }
}
