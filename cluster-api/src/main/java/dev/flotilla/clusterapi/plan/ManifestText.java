package dev.flotilla.clusterapi.plan;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.json.tree.YamlReader;
import java.util.ArrayList;
import java.util.List;

/**
 * The objects in a text: YAML or JSON, several documents, and lists as {@code kubectl get -o yaml} prints them.
 *
 * @param problems what is wrong with it, without content
 */
public record ManifestText(List<KubeObject> objects, List<String> problems) {
    /** The largest text that is read. */
    private static final int MAX_CHARACTERS = 8 * 1024 * 1024;

    public ManifestText {
        objects = List.copyOf(objects);
        problems = List.copyOf(problems);
    }

    /** Reads a text. */
    public static ManifestText read(String file, String text) {
        List<KubeObject> objects = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        int number = 0;
        for (String document : text.split("(?m)^---[ \\t]*(#.*)?\\r?$", -1)) {
            if (document.lines().allMatch(line -> line.isBlank() || line.startsWith("#"))) {
                continue;
            }
            number++;
            String where = file + ", document " + number;
            switch (YamlReader.read(document, MAX_CHARACTERS)) {
                case ParseResult.UnparsableDocument wrong ->
                    problems.add(where + " " + wrong.error().problem());
                case ParseResult.ParsedDocument parsed -> {
                    if (!parsed.errors().isEmpty()) {
                        problems.add(where + " has a name twice: "
                                + RedactedText.redact(parsed.errors().getFirst().path()));
                    } else if (parsed.value() instanceof JsonObjectReader object) {
                        add(where, new KubeObject(object), objects, problems);
                    } else {
                        problems.add(where + " is no object with apiVersion, kind and metadata");
                    }
                }
            }
        }
        if (number == 0) {
            problems.add(file + " has no object");
        }
        return new ManifestText(objects, problems);
    }

    private static void add(String where, KubeObject object, List<KubeObject> objects, List<String> problems) {
        String kind = object.text("kind");
        if (object.valueAt("items") instanceof JsonValue.JsonArray && (kind == null || kind.endsWith("List"))) {
            object.list("items").forEach(item -> add(where, item, objects, problems));
        } else if (kind == null
                || object.text("apiVersion") == null
                || object.name().isEmpty()) {
            problems.add(where + " has an object without apiVersion, kind or metadata.name");
        } else {
            objects.add(object);
        }
    }
}
