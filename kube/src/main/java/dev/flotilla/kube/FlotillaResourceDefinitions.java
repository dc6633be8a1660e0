package dev.flotilla.kube;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** The CustomResourceDefinitions of Flotilla, as {@code deploy/crds} has them. */
public final class FlotillaResourceDefinitions {
    private static final List<String> PLURALS =
            List.of("nodeupgrades", "nodeupgradetemplates", "upgradeplans", "upgradetasks");

    private FlotillaResourceDefinitions() {}

    /** Returns the manifests in YAML, by the names of the CustomResourceDefinitions. */
    public static SortedMap<String, String> manifests() {
        SortedMap<String, String> manifests = new TreeMap<>();
        PLURALS.forEach(plural -> manifests.put(plural + ".flotilla.dev", read(plural + ".yaml")));
        return manifests;
    }

    private static String read(String file) {
        try (InputStream in =
                FlotillaResourceDefinitions.class.getResourceAsStream("/dev/flotilla/deploy/crds/" + file)) {
            return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }
}
