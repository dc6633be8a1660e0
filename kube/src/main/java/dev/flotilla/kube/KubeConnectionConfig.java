package dev.flotilla.kube;

import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.YamlReader;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The server and credentials in a kubeconfig. Only inline data is used: commands and files that a kubeconfig names are ignored, so
 * that the author of a Secret cannot run or read anything in this process.
 */
public final class KubeConnectionConfig {
    private static final int DELETE = 0x7f;
    /** What the library assumes if it has found no cluster. In a pod it takes the address from the environment. */
    private static final String NO_CLUSTER = "https://kubernetes.default.svc";

    private final String server;
    private final @Nullable String serverName;
    private final String authority;
    private final KubeObject user;

    private KubeConnectionConfig(String server, @Nullable String serverName, String authority, KubeObject user) {
        this.server = server;
        this.serverName = serverName;
        this.authority = authority;
        this.user = user;
    }

    /** Reads the current context of a kubeconfig. Messages about problems never quote it. */
    public static KubeConnectionConfig parseKubeconfig(String kubeconfig) throws InvalidKubeconfigException {
        if (!(YamlReader.read(kubeconfig, DocumentLimits.SPECIFICATION_BYTES)
                        instanceof ParseResult.ParsedDocument parsedDocument)
                || !(parsedDocument.value() instanceof JsonObjectReader jsonObjectReader)) {
            throw new InvalidKubeconfigException("it is not a YAML object");
        }
        KubeObject all = new KubeObject(jsonObjectReader);
        KubeObject context = named(all, "contexts", "context", all.text("current-context"));
        KubeObject cluster = named(all, "clusters", "cluster", context.text("cluster"));
        KubeObject user = named(all, "users", "user", context.text("user"));
        String server = cluster.text("server");
        String authority = cluster.text("certificate-authority-data");
        if (server == null || !server.startsWith("https://") || authority == null) {
            throw new InvalidKubeconfigException("its cluster has no https server or no certificate-authority-data");
        }
        if (ForbiddenAddresses.host(server) == null) {
            throw new InvalidKubeconfigException("its cluster's server is not a URL");
        }
        boolean certificate = user.has("client-certificate-data") && user.has("client-key-data");
        if (!certificate && !user.has("token")) {
            throw new InvalidKubeconfigException(
                    "its user has neither client-certificate-data and client-key-data nor a token");
        }
        String token = user.text("token");
        if (token != null && !token.chars().allMatch(KubeConnectionConfig::isVisibleAscii)) {
            throw new InvalidKubeconfigException("its user's token has invalid characters");
        }
        return new KubeConnectionConfig(server, cluster.text("tls-server-name"), authority, user);
    }

    /**
     * Returns the client configuration for the cluster in a file; without a file, for the cluster in which this process runs as a pod, or
     * otherwise for kubectl's current cluster.
     */
    public static Config open(@Nullable Path kubeconfig, Duration timeout) throws IOException {
        if (kubeconfig == null) {
            Config pod = Config.autoConfigure(null);
            if (pod.getMasterUrl().startsWith(NO_CLUSTER)) {
                throw new IOException(
                        "no cluster is known: this process runs in no pod, and kubectl has no current cluster;"
                                + " name a kubeconfig file (--kubeconfig)");
            }
            pod.setConnectionTimeout((int) timeout.toMillis());
            pod.setRequestTimeout((int) timeout.toMillis());
            return pod;
        }
        try {
            return parseKubeconfig(Files.readString(kubeconfig)).toClientConfig(null, timeout);
        } catch (InvalidKubeconfigException e) {
            throw new IOException("kubeconfig " + kubeconfig + ": " + e.getMessage(), e);
        }
    }

    static KubeObject named(KubeObject all, String list, String inner, @Nullable String name)
            throws InvalidKubeconfigException {
        for (KubeObject one : all.list(list)) {
            if (name != null && name.equals(one.text("name"))) {
                return one.object(inner);
            }
        }
        throw new InvalidKubeconfigException("its current context refers to none of its " + list);
    }

    private static boolean isVisibleAscii(int character) {
        return character > ' ' && character < DELETE;
    }

    /** Returns why its server is forbidden; null if it is not. */
    public @Nullable String problemOfServer(boolean testBed) {
        return ForbiddenAddresses.problemOfServer(server, testBed);
    }

    /** Returns the client configuration, with another TLS server name if one is given. */
    public Config toClientConfig(@Nullable String impersonated, Duration timeout) {
        String key = user.text("client-key-data");
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl(server)
                .withTlsServerName(serverName)
                .withCaCertData(authority)
                .withClientCertData(user.text("client-certificate-data"))
                .withClientKeyData(key)
                .withClientKeyAlgo(keyAlgorithm(key == null ? "" : decodeBase64(key)))
                .withOauthToken(user.text("token"))
                .withConnectionTimeout((int) timeout.toMillis())
                .withRequestTimeout((int) timeout.toMillis())
                .build();
        config.setImpersonateUsername(impersonated);
        return config;
    }

    /** Returns the client configuration for the same server with a token in place of the kubeconfig's credentials. */
    public Config toTokenConfig(String token, Duration timeout) {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl(server)
                .withTlsServerName(serverName)
                .withCaCertData(authority)
                .withOauthToken(token)
                .withConnectionTimeout((int) timeout.toMillis())
                .withRequestTimeout((int) timeout.toMillis())
                .build();
    }

    /** Returns when the client certificate expires; null if there is no readable one. */
    public @Nullable Instant certificateExpiry() {
        String data = user.text("client-certificate-data");
        if (data == null) {
            return null;
        }
        try {
            X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(
                            new ByteArrayInputStream(decodeBase64(data).getBytes(StandardCharsets.ISO_8859_1)));
            return certificate.getNotAfter().toInstant();
        } catch (CertificateException e) {
            return null;
        }
    }

    /** Returns the algorithm of a PEM key, which the library needs. */
    static String keyAlgorithm(String pem) {
        return isEllipticKey(pem) ? "EC" : "RSA";
    }

    /** Whether a PEM key is an EC key. A PKCS 8 header does not state the algorithm, so the key is parsed. */
    private static boolean isEllipticKey(String pem) {
        if (!pem.contains("BEGIN PRIVATE KEY")) {
            return pem.contains("EC PRIVATE KEY");
        }
        try {
            byte[] key = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key)) != null;
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return false;
        }
    }

    static String decodeBase64(String data) {
        try {
            return new String(Base64.getMimeDecoder().decode(data), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    @Override
    public String toString() {
        return "access to " + server;
    }

    /** Thrown if a kubeconfig cannot be used. The message has the reason and never quotes the kubeconfig. */
    public static final class InvalidKubeconfigException extends Exception {
        InvalidKubeconfigException(String why) {
            super("the kubeconfig cannot be used: " + why);
        }
    }
}
