package dev.flotilla.testkit.kube;

import dev.flotilla.testkit.kafka.FreePorts;
import java.nio.file.Path;
import java.util.List;

/** A store for the API servers of one test. Each cluster lives below a prefix of its own. */
public final class Etcd implements AutoCloseable {
    private final Workplace workplace;
    private final KubeProcess process;
    private final String url;

    private Etcd(Workplace workplace, KubeProcess process, String url) {
        this.workplace = workplace;
        this.process = process;
        this.url = url;
    }

    /** Starts one in a temporary folder, which goes when it is closed. */
    public static Etcd start() {
        Workplace workplace = Workplace.make("etcd");
        int port = FreePorts.next();
        String clients = "http://127.0.0.1:" + port;
        String peers = "http://127.0.0.1:" + FreePorts.next();
        List<String> command = List.of(
                workplace.program(KubeBinaries.Program.ETCD),
                "--name=test",
                "--data-dir=" + workplace.folder().resolve("data"),
                "--listen-client-urls=" + clients,
                "--advertise-client-urls=" + clients,
                "--listen-peer-urls=" + peers,
                "--initial-advertise-peer-urls=" + peers,
                "--initial-cluster=test=" + peers,
                "--log-level=warn",
                // What survives the machine is no concern of a test; what survives a kill is, and does without.
                "--unsafe-no-fsync");
        KubeProcess process = workplace.start("etcd", command, () -> Web.answers(port));
        return new Etcd(workplace, process, clients);
    }

    String url() {
        return url;
    }

    /** Where its data and its log are. */
    public Path folder() {
        return workplace.folder();
    }

    @Override
    public void close() {
        process.kill();
        workplace.clear();
    }
}
