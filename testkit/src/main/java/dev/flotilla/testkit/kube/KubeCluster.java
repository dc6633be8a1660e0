package dev.flotilla.testkit.kube;

import dev.flotilla.testkit.kafka.FreePorts;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A real Kubernetes cluster on this machine: an API server over an etcd, and what {@link KubeOptions} asks for. All of it
 * ends with {@link #close}, and also when this JVM dies.
 */
public final class KubeCluster implements AutoCloseable {
    private static final String ADMINISTRATORS = "system:masters";

    private final String name;
    private final KubeOptions options;
    private final EtcdServer etcd;
    private final @Nullable EtcdServer ownEtcd;
    private final KubeProcessFolder kubeProcessFolder;
    private final ClusterCertificates certificates;
    private final int port = FreePorts.next();
    private final Path kubeconfig;
    private final ApiServerClient apiServerClient;
    private final List<KubeProcess> around = new ArrayList<>();
    private @Nullable KubeProcess apiServer;

    private KubeCluster(String name, KubeOptions options, EtcdServer etcd, @Nullable EtcdServer ownEtcd) {
        this.name = name;
        this.options = options;
        this.etcd = etcd;
        this.ownEtcd = ownEtcd;
        this.kubeProcessFolder = KubeProcessFolder.create(name);
        this.certificates = new ClusterCertificates(kubeProcessFolder);
        this.kubeconfig = kubeconfig("admin", ADMINISTRATORS);
        this.apiServerClient =
                new ApiServerClient(url(), certificates.authority().certificate(), certificates.token());
    }

    /** Starts a cluster with an etcd of its own. */
    public static KubeCluster start(KubeOptions options) {
        EtcdServer etcd = EtcdServer.start();
        return started(new KubeCluster("cluster", options, etcd, etcd));
    }

    /** Starts a cluster that shares its etcd with others, below its name. */
    public static KubeCluster start(EtcdServer etcd, String name, KubeOptions options) {
        return started(new KubeCluster(name, options, etcd, null));
    }

    private static KubeCluster started(KubeCluster cluster) {
        try {
            cluster.startApiServer();
            cluster.startAround();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void startApiServer() {
        KubeCommandLines kubeCommandLines = new KubeCommandLines(name, kubeProcessFolder, certificates);
        apiServer = kubeProcessFolder.start(
                "kube-apiserver",
                kubeCommandLines.apiServer(etcd.url(), port, auditLog(), options.apiServerFlags()),
                () -> apiServerClient.canRead("/readyz")
                        && apiServerClient.canRead("/api/v1/namespaces/default")
                        && apiServerClient.canRead("/api/v1/namespaces/kube-system"));
    }

    private void startAround() {
        KubeCommandLines kubeCommandLines = new KubeCommandLines(name, kubeProcessFolder, certificates);
        if (!options.controllers().isEmpty()) {
            int theirs = FreePorts.next();
            around.add(kubeProcessFolder.start(
                    "kube-controller-manager",
                    kubeCommandLines.controllers(kubeconfig, theirs, options.controllers()),
                    () -> ApiServerClient.isPortOpen(theirs)));
        }
        if (options.nodes()) {
            int theirs = FreePorts.next();
            around.add(kubeProcessFolder.start(
                    "kwok",
                    kubeCommandLines.kubelets(kubeconfig, theirs, options.forwardsTo()),
                    () -> ApiServerClient.isPortOpen(theirs)));
        }
    }

    /** Serves the custom resources of Cluster API and of Canonical's providers from now on. */
    public KubeCluster withClusterApi() {
        CustomResourceDefinitions.install(apiServerClient);
        return this;
    }

    /** Makes an object be as a manifest says, in YAML or JSON, at its path in the API. Returns the object as JSON. */
    public String apply(String path, String manifest) {
        return apiServerClient.apply(path, manifest);
    }

    /** Changes the object at a path in the API by a merge patch. Returns what the API server warns of, as kubectl shows it. */
    public List<String> merge(String path, String patch) {
        return apiServerClient.merge(path, patch);
    }

    /** Deletes the object at a path in the API. */
    public void delete(String path) {
        apiServerClient.delete(path);
    }

    public URI url() {
        return URI.create("https://127.0.0.1:" + port);
    }

    /** The certificate of the authority that its API server is trusted by, PEM. */
    public String authority() {
        return certificates.authority().certificate();
    }

    /** The kubeconfig of one who may do everything: with it others can be impersonated. */
    public Path kubeconfig() {
        return kubeconfig;
    }

    /** Writes the kubeconfig of somebody, by a client certificate with these groups. */
    public Path kubeconfig(String user, String... groups) {
        return kubeProcessFolder.write(
                user.replace(':', '-') + ".kubeconfig",
                new Kubeconfig(
                                name,
                                url(),
                                certificates.authority().certificate(),
                                certificates.authority().issueOrganizationMember(user, Arrays.asList(groups)))
                        .text());
    }

    /** One line of JSON for each request, in the order in which they were answered. */
    public Path auditLog() {
        return kubeProcessFolder.folder().resolve("audit.log");
    }

    /** Where the logs of its programs are, until it is closed. */
    public Path folder() {
        return kubeProcessFolder.folder();
    }

    /** Whether the API server runs. */
    public boolean isUp() {
        return apiServer != null && apiServer.isAlive();
    }

    /** The number of the API server's process; only while it runs. */
    public long pid() {
        if (apiServer == null) {
            throw new IllegalStateException("the API server of " + name + " does not run");
        }
        return apiServer.pid();
    }

    /** Kills the API server as {@code kill -9}. What is around it goes on, and finds it gone. */
    public void kill() {
        if (apiServer != null) {
            apiServer.kill();
            apiServer = null;
        }
    }

    /** Starts the API server again, on its port and data; one that runs is killed first. */
    public void restart() {
        kill();
        startApiServer();
    }

    /** Copies the store into a folder that is not there yet. The API server is stopped meanwhile. */
    public void backUp(Path to) {
        kill();
        etcd.backUp(to);
        startApiServer();
    }

    /** Puts the store back as it was copied, as people do after they have lost it. Resource versions go back with it. */
    public void restore(Path from) {
        kill();
        etcd.restore(from);
        startApiServer();
    }

    /**
     * Has the store forget what objects were before. Whoever goes on from there is refused by an API server that starts after
     * this: one that runs remembers for a while itself.
     */
    public void compact() {
        etcd.compact();
    }

    @Override
    public void close() {
        around.reversed().forEach(KubeProcess::kill);
        around.clear();
        kill();
        apiServerClient.close();
        kubeProcessFolder.delete();
        if (ownEtcd != null) {
            ownEtcd.close();
        }
    }
}
