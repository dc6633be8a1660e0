package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code flotilla cluster-api plan}: exit codes, JSON and problems. */
class ClusterApiPlanCommandTest {
    private static final String FOLDER = "examples/cluster-api/plan/";
    private static final String PRESENT = CliResult.path(FOLDER + "cluster.yaml");

    @TempDir
    private Path folder;

    private static CliResult plan(String... more) {
        String[] args = new String[more.length + 2];
        args[0] = "cluster-api";
        args[1] = "plan";
        System.arraycopy(more, 0, args, 2, more.length);
        return CliResult.flotilla(args);
    }

    @Test
    void exitCodeSaysWhetherAMachineIsReplaced() {
        assertThat(plan(PRESENT, "--change", CliResult.path(FOLDER + "version.yaml"))
                        .exit())
                .isZero();
        CliResult uncovered = plan(PRESENT, "--change", CliResult.path(FOLDER + "files.yaml"), "--json", "-");
        assertThat(uncovered.exit()).isEqualTo(1);
        assertThat(uncovered.out())
                .contains("\"answer\": \"replace\"", "\"replaced\": 5", "spec.files")
                .doesNotContain("token = example");
    }

    @Test
    void theFirstLineSaysWhetherTheDefaultsOrGivenSettingsCount() throws IOException {
        String all = Files.readString(CliResult.ROOT.resolve(FOLDER + "cluster.yaml"));
        Path present = Files.writeString(
                folder.resolve("present.yaml"),
                Arrays.stream(all.split("\n---\n"))
                        .filter(each -> !each.contains("kind: ExtensionConfig"))
                        .collect(Collectors.joining("\n---\n")));
        Path settings = Files.writeString(folder.resolve("settings.yaml"), "uncovered: stop");
        String change = CliResult.path(FOLDER + "version.yaml");
        assertThat(plan(present.toString(), "--change", change).out()).contains("judged by the defaults, as if");
        assertThat(plan(present.toString(), "--change", change, "--settings", settings.toString())
                        .out())
                .contains("judged by the given settings and delegates, as if")
                .doesNotContain("defaults");
    }

    @Test
    void problemsAreNamedWithTheirValues() {
        CliResult wrong = plan("absent.yaml", "--change", "absent-too.yaml", "--cluster", "blue");
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.err())
                .contains("absent.yaml does not exist", "absent-too.yaml does not exist", "--cluster blue is not");
    }

    @Test
    void problemsOfOptionsNameTheFileAndTheWayOut() throws IOException {
        Path text = Files.writeString(folder.resolve("text"), "no object");
        Path unknown = Files.writeString(folder.resolve("unknown"), "{uncover: stop}");
        String change = CliResult.path(FOLDER + "version.yaml");
        CliResult absent = plan(PRESENT, "--change", change, "--settings", "/nowhere", "--delegates", "/nowhere-else");
        assertThat(absent.exit()).isEqualTo(2);
        assertThat(absent.err())
                .contains(
                        "--settings /nowhere does not exist: name the settings.yaml of the extension",
                        "--delegates /nowhere-else does not exist: name the delegatesFile of the extension",
                        "See flotilla cluster-api plan --help");
        assertThat(plan(PRESENT, "--change", change, "--settings", text.toString())
                        .err())
                .contains("--settings " + text + ": it is no YAML object", "such as uncovered: stop");
        assertThat(plan(PRESENT, "--change", change, "--settings", unknown.toString())
                        .err())
                .contains("--settings " + unknown + ": setting 'uncover' is unknown; use uncovered");
        assertThat(plan(PRESENT, "--change", change, "--delegates", unknown.toString())
                        .err())
                .contains("--delegates: " + unknown, "uncover");
        assertThat(plan("--change", change, "--cluster", "fleet/blue", "--kubeconfig", "/nowhere")
                        .err())
                .contains("kubeconfig /nowhere does not exist: name an existing file");
        CliResult unfit = plan("--change", change, "--cluster", "fleet/blue", "--kubeconfig", text.toString());
        assertThat(unfit.exit()).isEqualTo(2);
        assertThat(unfit.err())
                .contains("kubeconfig " + text, "it is not a YAML object", "kubectl --kubeconfig " + text + " version");
    }

    @Test
    void fieldsOfADelegateAreCoveredAsInTheHooks() throws IOException {
        Path delegates = Files.writeString(folder.resolve("delegates.yaml"), """
                delegates:
                  - name: files
                    url: https://files.vendor.svc
                    caFile: /etc/flotilla/delegates/only-in-the-pod.crt
                    covers: [{kind: KubeadmConfig, paths: [files]}]
                """);
        Path change = Files.writeString(folder.resolve("change.yaml"), """
                {apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: KubeadmControlPlane, metadata: {name: blue-cp},
                 spec: {kubeadmConfigSpec: {files: [{path: /a, content: b}]}}}""");
        assertThat(plan(PRESENT, "--change", change.toString()).exit()).isEqualTo(1);
        CliResult covered = plan(PRESENT, "--change", change.toString(), "--delegates", delegates.toString());
        assertThat(covered.err()).isEmpty();
        assertThat(covered.exit()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            403 | 200 | 3 | cluster fleet/blue cannot be read: 403
            401 | 200 | 3 | cluster fleet/blue cannot be read: 401
            500 | 200 | 3 | cluster fleet/blue cannot be read: 500
            404 | 404 | 3 | does not serve cluster.x-k8s.io/v1beta2: updates in place need Cluster API 1.12 or newer
            404 | 200 | 2 | there is no cluster fleet/blue at http://127.0.0.1
            """)
    void exitCodeTellsAClusterThatCannotBeReadFromAWrongName(int cluster, int group, int exit, String problem)
            throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            int status = path.equals("/version") ? 200 : path.endsWith("/clusters/blue") ? cluster : group;
            byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            CliResult result =
                    planLive("http://127.0.0.1:" + server.getAddress().getPort());
            assertThat(result.err()).contains(problem);
            assertThat(result.exit()).isEqualTo(exit);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void exitCodeIs3WhenTheManagementClusterDoesNotAnswer() throws IOException {
        CliResult result = planLive("https://127.0.0.1:1");
        assertThat(result.exit()).isEqualTo(3);
        assertThat(result.err()).contains("https://127.0.0.1:1 does not answer: ", "check that it runs");
    }

    private CliResult planLive(String server) throws IOException {
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: east
                clusters: [{name: east, cluster: {server: "%s"}}]
                contexts: [{name: east, context: {cluster: east, user: me}}]
                users: [{name: me, user: {token: t}}]
                """.formatted(server));
        return plan(
                "--change",
                CliResult.path(FOLDER + "version.yaml"),
                "--cluster",
                "fleet/blue",
                "--kubeconfig",
                kubeconfig.toString());
    }
}
