package dev.flotilla.kube;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.YamlReader;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The kubeconfig of a person who runs a command. What it runs or names is that person's business, unlike one out of a Secret,
 * for which {@link KubeConnectionConfig} is.
 */
public final class UserKubeconfig {
    /** Some name dozens of clusters, each with its certificates. */
    private static final int MOST_CHARACTERS = 1024 * 1024;

    private UserKubeconfig() {}

    /**
     * Opens the cluster that its current context names. What is wrong with the file is told without quoting it.
     *
     * @param atOnce requests that run at a time
     */
    public static KubeApiClient open(Path file, Duration timeout, int atOnce) throws IOException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IOException("kubeconfig " + file + " cannot be read");
        }
        try {
            namesItsServer(Files.readString(file));
            Config config = Config.fromKubeconfig(file.toFile());
            config.setClientKeyAlgo(KubeConnectionConfig.algorithm(clientKey(config)));
            config.setConnectionTimeout((int) timeout.toMillis());
            config.setRequestTimeout((int) timeout.toMillis());
            return new KubeApiClient(config, atOnce);
        } catch (KubeConnectionConfig.InvalidKubeconfigException e) {
            throw new IOException("kubeconfig " + file + ": " + e.getMessage(), e);
        } catch (IOException | RuntimeException e) {
            // The library's words may quote what it cannot read, such as a key.
            throw new IOException(
                    "kubeconfig " + file + " is none: " + e.getClass().getSimpleName(), e);
        }
    }

    /** The user's key as PEM; empty for none. */
    private static String clientKey(Config config) throws IOException {
        if (config.getClientKeyData() != null) {
            return KubeConnectionConfig.decoded(config.getClientKeyData());
        }
        return config.getClientKeyFile() == null ? "" : Files.readString(Path.of(config.getClientKeyFile()));
    }

    /** The library would take one that names none, and ask an address that exists in pods alone. */
    private static void namesItsServer(String text) throws KubeConnectionConfig.InvalidKubeconfigException {
        if (!(YamlReader.read(text, MOST_CHARACTERS) instanceof ParseResult.ParsedDocument parsedDocument)
                || !(parsedDocument.value() instanceof JsonObjectReader jsonObjectReader)) {
            throw new KubeConnectionConfig.InvalidKubeconfigException("it is no YAML object");
        }
        KubeObject all = new KubeObject(jsonObjectReader);
        KubeObject context = KubeConnectionConfig.named(all, "contexts", "context", all.text("current-context"));
        KubeObject cluster = KubeConnectionConfig.named(all, "clusters", "cluster", context.text("cluster"));
        if (!cluster.has("server")) {
            throw new KubeConnectionConfig.InvalidKubeconfigException("its cluster has no server");
        }
    }
}
