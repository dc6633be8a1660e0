package dev.flotilla.kube;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.YamlReader;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kubeconfig of a person who runs a command. Unlike a kubeconfig in a Secret, which {@link KubeConnectionConfig} reads, it may run
 * commands and refer to files.
 */
public final class UserKubeconfig {
    /** The maximum size; some kubeconfigs have dozens of clusters, each with its certificates. */
    private static final int MAX_CHARACTERS = 1024 * 1024;

    private UserKubeconfig() {}

    /**
     * Opens a client for the cluster of its current context. Messages about problems never quote the file.
     *
     * @param atOnce the maximum number of concurrent requests
     */
    public static KubeApiClient open(Path file, Duration timeout, int atOnce) throws IOException {
        return open(file, null, timeout, atOnce);
    }

    /**
     * The same for the cluster of a context.
     *
     * @param context null for the current context
     */
    public static KubeApiClient open(Path file, @Nullable String context, Duration timeout, int atOnce)
            throws IOException {
        if (!Files.exists(file)) {
            throw new IOException("kubeconfig " + file + " does not exist: name an existing file");
        }
        if (!Files.isRegularFile(file)) {
            throw new IOException("kubeconfig " + file + " is a folder or a pipe: name a regular file");
        }
        if (!Files.isReadable(file)) {
            throw new IOException("kubeconfig " + file + " cannot be read: check its permissions");
        }
        try {
            requireServer(Files.readString(file), context);
            Config config = Config.fromKubeconfig(context, file.toFile());
            config.setClientKeyAlgo(KubeConnectionConfig.keyAlgorithm(clientKey(config)));
            config.setConnectionTimeout((int) timeout.toMillis());
            config.setRequestTimeout((int) timeout.toMillis());
            return new KubeApiClient(config, atOnce);
        } catch (KubeConnectionConfig.InvalidKubeconfigException e) {
            throw new IOException("kubeconfig " + file + ": " + e.getMessage() + ": " + remedy(file), e);
        } catch (IOException | RuntimeException e) {
            // Not the library's message: it may quote what it cannot read, such as a key.
            throw new IOException(
                    "kubeconfig " + file + " cannot be used (" + e.getClass().getSimpleName() + "): " + remedy(file),
                    e);
        }
    }

    /** Returns the texts of all secrets with which a client connects, for a filter that keeps them out of what is shown. */
    public static List<String> secretTexts(KubeApiClient api) {
        Config config = api.config();
        List<String> secrets = new ArrayList<>();
        for (@Nullable
        String each : Arrays.asList(
                config.getOauthToken(),
                config.getAutoOAuthToken(),
                config.getPassword(),
                config.getClientKeyData(),
                config.getClientCertData())) {
            if (each != null) {
                secrets.add(each);
            }
        }
        return secrets;
    }

    private static String remedy(Path file) {
        return "correct it until `kubectl --kubeconfig " + file + " version` works";
    }

    /** Returns the user's key as PEM; empty if there is none. */
    private static String clientKey(Config config) throws IOException {
        if (config.getClientKeyData() != null) {
            return KubeConnectionConfig.decodeBase64(config.getClientKeyData());
        }
        return config.getClientKeyFile() == null ? "" : Files.readString(Path.of(config.getClientKeyFile()));
    }

    /** Checks that the current context has a server: without one, the library would use an address that exists only in pods. */
    private static void requireServer(String text, @Nullable String chosen)
            throws KubeConnectionConfig.InvalidKubeconfigException {
        if (!(YamlReader.read(text, MAX_CHARACTERS) instanceof ParseResult.ParsedDocument parsedDocument)
                || !(parsedDocument.value() instanceof JsonObjectReader jsonObjectReader)) {
            throw new KubeConnectionConfig.InvalidKubeconfigException("it is not a YAML object");
        }
        KubeObject all = new KubeObject(jsonObjectReader);
        KubeObject context = KubeConnectionConfig.named(
                all, "contexts", "context", chosen == null ? all.text("current-context") : chosen);
        KubeObject cluster = KubeConnectionConfig.named(all, "clusters", "cluster", context.text("cluster"));
        if (!cluster.has("server")) {
            throw new KubeConnectionConfig.InvalidKubeconfigException("its cluster has no server");
        }
    }
}
