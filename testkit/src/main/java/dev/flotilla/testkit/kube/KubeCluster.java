package dev.flotilla.testkit.kube;

import dev.flotilla.testkit.kafka.FreePorts;
import dev.flotilla.testkit.process.ChildProcess;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A real Kubernetes cluster on this machine: an API server with etcd, and the components that {@link KubeOptions}
 * selects. Everything ends with {@link #close}, and also when this JVM dies.
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
    private final List<ChildProcess> components = new ArrayList<>();
    private @Nullable ChildProcess apiServer;

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

    /** Starts a cluster with its own etcd. */
    public static KubeCluster start(KubeOptions options) {
        EtcdServer etcd = EtcdServer.start();
        return started(new KubeCluster("cluster", options, etcd, etcd));
    }

    /** Starts a cluster that shares an etcd with others, under a prefix of its name. */
    public static KubeCluster start(EtcdServer etcd, String name, KubeOptions options) {
        return started(new KubeCluster(name, options, etcd, null));
    }

    private static KubeCluster started(KubeCluster cluster) {
        try {
            cluster.startApiServer();
            cluster.startComponents();
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

    private void startComponents() {
        KubeCommandLines kubeCommandLines = new KubeCommandLines(name, kubeProcessFolder, certificates);
        if (!options.controllers().isEmpty()) {
            int itsPort = FreePorts.next();
            components.add(kubeProcessFolder.start(
                    "kube-controller-manager",
                    kubeCommandLines.controllers(kubeconfig, itsPort, options.controllers()),
                    () -> ApiServerClient.isPortOpen(itsPort)));
        }
        if (options.nodes()) {
            int itsPort = FreePorts.next();
            components.add(kubeProcessFolder.start(
                    "kwok",
                    kubeCommandLines.kubelets(kubeconfig, itsPort, options.forwardsTo()),
                    () -> ApiServerClient.isPortOpen(itsPort)));
        }
    }

    /** Installs the custom resources of Cluster API, with its kubeadm provider, and Canonical's providers. */
    public KubeCluster withClusterApi() {
        CustomResourceDefinitions.install(apiServerClient);
        return this;
    }

    /** Installs the custom resources of Flotilla. */
    public KubeCluster withFlotilla() {
        CustomResourceDefinitions.installFlotilla(apiServerClient);
        return this;
    }

    /** Creates or changes the object at an API path by a manifest in YAML or JSON. Returns the object as JSON. */
    public String apply(String path, String manifest) {
        return apiServerClient.apply(path, manifest);
    }

    /** Creates or changes objects as {@code kubectl apply --server-side} does. */
    public void apply(List<KubeManifest> manifests) {
        manifests.forEach(each -> apply(each.path(), each.text()));
    }

    /** Waits until the objects at an API path can be listed, after their CustomResourceDefinition was applied. */
    public void awaitServed(String path) {
        CustomResourceDefinitions.await(apiServerClient, path);
    }

    /**
     * Changes the object at an API path by a merge patch. Returns the warnings of the API server, as kubectl shows
     * them.
     */
    public List<String> merge(String path, String patch) {
        return apiServerClient.merge(path, patch);
    }

    /** Deletes the object at an API path. */
    public void delete(String path) {
        apiServerClient.delete(path);
    }

    public URI url() {
        return URI.create("https://127.0.0.1:" + port);
    }

    /** The administrator's kubeconfig, which may also impersonate others. */
    public Path kubeconfig() {
        return kubeconfig;
    }

    /** Writes the kubeconfig of a user with a client certificate for these groups. */
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

    /** The audit log: a line of JSON for each request, in the order of the responses. */
    public Path auditLog() {
        return kubeProcessFolder.folder().resolve("audit.log");
    }

    /** The folder of its programs' logs, until it is closed. */
    public Path folder() {
        return kubeProcessFolder.folder();
    }

    /** Whether the API server runs. */
    public boolean isUp() {
        return apiServer != null && apiServer.isAlive();
    }

    /** The process id of the API server; only while it runs. */
    public long pid() {
        if (apiServer == null) {
            throw new IllegalStateException("the API server of " + name + " is not running");
        }
        return apiServer.pid();
    }

    /** Kills the API server like {@code kill -9}. The other components continue and find it unreachable. */
    public void kill() {
        if (apiServer != null) {
            apiServer.kill();
            apiServer = null;
        }
    }

    /** Starts the API server again, on its port and data; kills a running one first. */
    public void restart() {
        kill();
        startApiServer();
    }

    /** Copies the store to a folder that does not exist yet. The API server is stopped meanwhile. */
    public void backUp(Path to) {
        kill();
        etcd.backUp(to);
        startApiServer();
    }

    /** Restores the store from a copy, as operators do after they have lost it. Resource versions are restored too. */
    public void restore(Path from) {
        kill();
        etcd.restore(from);
        startApiServer();
    }

    /**
     * Compacts the history of the store. Watches from an older version fail with an API server that starts after this;
     * a running one keeps some history itself.
     */
    public void compact() {
        etcd.compact();
    }

    @Override
    public void close() {
        components.reversed().forEach(ChildProcess::kill);
        components.clear();
        kill();
        apiServerClient.close();
        kubeProcessFolder.delete();
        if (ownEtcd != null) {
            ownEtcd.close();
        }
    }
}
