package dev.flotilla.testkit.kube;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An object in block style YAML, as {@code kubectl apply} reads it.
 *
 * @param path where the API server has it
 */
public record KubeManifest(String path, String text) {
    private static final Pattern SEPARATOR = Pattern.compile("^---\\s*$", Pattern.MULTILINE);
    private static final Pattern API_VERSION = Pattern.compile("^apiVersion: (\\S+)", Pattern.MULTILINE);
    private static final Pattern KIND = Pattern.compile("^kind: (\\S+)", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("^  name: (\\S+)", Pattern.MULTILINE);

    /** Reads the objects of a file. They are cluster-scoped, or {@link #inNamespace} says where they are. */
    public static List<KubeManifest> parseAll(String file) {
        return Arrays.stream(SEPARATOR.split(file))
                .filter(each -> KIND.matcher(each).find())
                .map(KubeManifest::parse)
                .toList();
    }

    private static KubeManifest parse(String text) {
        String apiVersion = find(text, API_VERSION);
        String plural = (find(text, KIND).toLowerCase(Locale.ROOT) + "s").replaceFirst("ys$", "ies");
        return new KubeManifest(
                (apiVersion.contains("/") ? "/apis/" : "/api/") + apiVersion + "/" + plural + "/" + find(text, NAME),
                text);
    }

    private static String find(String text, Pattern field) {
        Matcher found = field.matcher(text);
        if (!found.find()) {
            throw new IllegalArgumentException("no match of " + field + " in\n" + text);
        }
        return found.group(1);
    }

    /** The object in a namespace, as {@code kubectl -n} applies it. */
    public KubeManifest inNamespace(String namespace) {
        int kind = path.lastIndexOf('/', path.lastIndexOf('/') - 1);
        return new KubeManifest(path.substring(0, kind) + "/namespaces/" + namespace + path.substring(kind), text);
    }

    /** The name of the object. */
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
