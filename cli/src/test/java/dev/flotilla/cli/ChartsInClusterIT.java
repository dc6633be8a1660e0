package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.node.KubeadmCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * Fleet, kinds and site are installed by the commands of docs/install.md, without a registry, in a real cluster that manages itself: real
 * pods of the images, a real Kafka beside them, and a real node that is upgraded. The test plays only Cluster API, which reports the node in
 * its Machine. What was run is in {@code target/install-lab/transcript.txt}.
 */
@Tag("node")
@Tag("nightly")
@EnabledIf(value = KubeadmCluster.USABLE, disabledReason = KubeadmCluster.UNUSABLE)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ChartsInClusterIT {
    private static final Pattern VALUES = Pattern.compile("```yaml\n *# (\\S+\\.yaml)\n(.*?)```", Pattern.DOTALL);
    private static final String ROLLED_OUT = "kubectl -n flotilla rollout status deployment/flotilla-%s --timeout=600s";
    private static final String RESTARTS =
            "kubectl -n flotilla get pods -o jsonpath='{.items[*].status.containerStatuses[*].restartCount}'";
    private static final String LOGS_OF_RESTARTED =
            "kubectl -n flotilla get pods --no-headers | awk '$4 != \"0\" {print $1}'"
                    + " | xargs -r -n1 kubectl -n flotilla logs --previous --tail=40";
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(15);

    private static final String FLEET = """
        image: {pullPolicy: IfNotPresent}
        kafka: {bootstrapServers: "kafka.kafka.svc:9093"}
        # What runs once must not run on the node that is upgraded.
        auditor: {nodeSelector: {kubernetes.io/hostname: node2}}
        campaignController: {enabled: true, machineCounts: true, nodeSelector: {kubernetes.io/hostname: node2}, caBundle: %s}
        """;

    private static final String SITE = """
        site: east
        clusters: [{namespace: fleet, name: blue}]
        image: {pullPolicy: IfNotPresent}
        kafka: {bootstrapServers: "kafka.kafka.svc:9093"}
        intercept: {enabled: true, webhook: true, caBundle: %s}
        nodeUpgrader: {enabled: true}
        """;

    private static final String POLICY = """
        apiVersion: flotilla.dev/v1
        kind: Policy
        metadata: {name: fleet}
        spec:
          caps: {inFlight: %d}
          providers:
            - machines: {}
              provider: node-upgrade
              template: {apiVersion: flotilla.dev/v1alpha1, kind: NodeUpgradeTemplate, name: kubeadm}
        """;

    private static final String CLUSTER = """
        apiVersion: cluster.x-k8s.io/v1beta2
        kind: Cluster
        metadata: {name: blue, namespace: fleet}
        spec:
          paused: false
          controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: blue-control-plane}
        ---
        apiVersion: controlplane.cluster.x-k8s.io/v1beta2
        kind: KubeadmControlPlane
        metadata: {name: blue-control-plane, namespace: fleet}
        spec: {replicas: 1, version: %s}
        """.formatted(KubeadmCluster.FIRST_VERSION);

    private static final String MACHINE = """
        apiVersion: cluster.x-k8s.io/v1beta2
        kind: Machine
        metadata:
          name: blue-node1
          namespace: fleet
          labels:
            cluster.x-k8s.io/cluster-name: blue
            cluster.x-k8s.io/control-plane: ''
            cluster.x-k8s.io/control-plane-name: blue-control-plane
          ownerReferences:
            - {apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: KubeadmControlPlane, name: blue-control-plane, uid: UID, controller: true}
        spec:
          clusterName: blue
          version: %s
          bootstrap:
            dataSecretName: none
            configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfig, name: blue-node1}
          infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: RealMachine, name: blue-node1}
        """.formatted(KubeadmCluster.FIRST_VERSION);

    private static final String OWNER_STATUS = """
        {"status": {"replicas": 1, "readyReplicas": 1, "upToDateReplicas": 1, "version": "%s"}}""".formatted(KubeadmCluster.FIRST_VERSION);

    private static final String MACHINE_STATUS = """
        {"status": {"phase": "Running", "nodeRef": {"name": "node1"},\
         "nodeInfo": {"kubeletVersion": "%s", "architecture": "amd64", "systemUUID": ""},\
         "conditions": [{"type": "NodeReady", "status": "%s", "reason": "NodeReady", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}""";

    private static InstallLab lab;
    private static String page;

    @BeforeAll
    static void start() throws Exception {
        Path parent = Files.createDirectories(Path.of("target").toAbsolutePath());
        lab = InstallLab.start(Files.createTempDirectory(parent, "install-lab-"));
        page = Files.readString(CliResult.ROOT.resolve("docs/install.md"));
        for (MatchResult values : VALUES.matcher(page).results().toList()) {
            lab.write(values.group(1), values.group(2).stripIndent());
        }
        String authority = Base64.getEncoder().encodeToString(lab.authority().getBytes(StandardCharsets.UTF_8));
        lab.write("fleet.yaml", FLEET.formatted(authority));
        lab.write("site.yaml", SITE.formatted(authority));
    }

    @AfterAll
    static void stop() {
        lab.close();
    }

    /** The command of the page that begins so; one that adopts objects installs nothing. */
    private static String command(String beginning) {
        List<String> found = page.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("$ " + beginning) && !line.endsWith(" --take-ownership"))
                .map(line -> line.substring(2))
                .distinct()
                .toList();
        assertThat(found)
                .as("commands of docs/install.md that begin with: %s", beginning)
                .hasSize(1);
        return found.getFirst();
    }

    private static void createSecrets(String inThePage, String... processes) {
        for (String beginning : List.of(
                "for process in orchestrator auditor; do kubectl -n flotilla create secret generic flotilla-$process-token",
                "for process in orchestrator auditor; do kubectl -n flotilla create secret generic flotilla-$process-tls",
                "for process in orchestrator auditor; do kubectl -n flotilla create secret generic flotilla-$process-kafka")) {
            // The lab has one authority for brokers and ports.
            lab.run(command(beginning)
                    .replace(inThePage, String.join(" ", processes))
                    .replace("own-ca.crt", "ca.crt"));
        }
    }

    @Test
    @Order(1)
    void fleetIsInstalled() throws IOException {
        lab.run(command("kubectl create namespace flotilla"));
        lab.run(command("kubectl label namespace flotilla"));
        lab.issueCertificates("orchestrator", "flotilla-orchestrator");
        lab.issueCertificates("auditor", "flotilla-auditor");
        lab.issueCertificates("campaign-controller", "flotilla-campaign-controller");
        lab.run(command("printf '%s\\n' ssl.keystore.type=PEM"));
        createSecrets("orchestrator auditor", "orchestrator", "auditor", "campaign-controller");
        lab.run(command("flotilla site add east --apply-acls"));
        lab.grantCampaignController();
        lab.run(command("helm install flotilla-crds") + " --set hub=true");
        lab.run(command("helm install flotilla-fleet") + " -f small.yaml");
        lab.run(command("kubectl -n flotilla rollout status deployment/flotilla-orchestrator"));
        lab.run(ROLLED_OUT.formatted("auditor"));
        lab.run(ROLLED_OUT.formatted("campaign-controller"));
        lab.run(command("flotilla policy apply examples/policies/fleet.yaml"));
    }

    @Test
    @Order(2)
    void siteIsInstalledAndConnected() throws IOException {
        lab.run("kubectl create namespace fleet");
        lab.run("kubectl apply -f " + CliResult.path("testkit/src/main/resources/dev/flotilla/testkit/kube/crd"));
        lab.run("kubectl wait --for=condition=Established --timeout=60s crd --all");
        lab.run("kubectl -n fleet create secret generic blue-kubeconfig --from-file=value=blue.kubeconfig");
        lab.run("kubectl -n fleet label secret blue-kubeconfig cluster.x-k8s.io/cluster-name=blue");

        lab.issueCertificates("management-watcher", "flotilla-watcher-east", "flotilla-intercept.flotilla.svc");
        lab.issueCertificates("node-worker", "flotilla-worker-east");
        lab.issueCertificates("node-upgrader", "none");
        createSecrets("orchestrator auditor", "management-watcher", "node-worker", "node-upgrader");
        lab.run(command("helm install flotilla-site") + " -f small-site.yaml");
        lab.run(command("flotilla site rbac east --workload"));
        for (String process : List.of("management-watcher", "node-worker", "node-upgrader")) {
            lab.run(ROLLED_OUT.formatted(process));
        }
        await("flotilla site list", said -> said.matches("(?s).*east\\s+connected.*"));
        createMachine();
        lab.run(command("flotilla site check east --kubeconfig east.kubeconfig"));
        await("flotilla machine list", said -> said.contains("east/fleet/blue-node1"));
        lab.run(LOGS_OF_RESTARTED);
    }

    private static void createMachine() throws IOException {
        lab.write("cluster.yaml", CLUSTER);
        lab.run("kubectl apply -f cluster.yaml");
        lab.run("kubectl -n fleet patch kcp blue-control-plane --subresource=status --type=merge -p '" + OWNER_STATUS
                + "'");
        String uid = lab.run("kubectl -n fleet get kcp blue-control-plane -o jsonpath='{.metadata.uid}'");
        lab.write("machine.yaml", MACHINE.replace("uid: UID", "uid: " + uid));
        lab.run("kubectl apply -f machine.yaml");
        reportNode();
    }

    /** Plays Cluster API's machine controller. */
    private static void reportNode() {
        String node = "kubectl get node node1 -o jsonpath='{.status.nodeInfo.kubeletVersion} "
                + "{.status.conditions[?(@.type==\"Ready\")].status}'";
        CliResult said = lab.runToEnd(node);
        String[] words = said.out().strip().split(" ", -1);
        if (said.exit() == 0 && words.length == 2) {
            lab.runToEnd("kubectl -n fleet patch machine blue-node1 --subresource=status --type=merge -p '"
                    + MACHINE_STATUS.formatted(words[0], words[1]) + "'");
        }
    }

    @Test
    @Order(3)
    void policyIsReadInEachCompressionByThePods() throws Exception {
        String before = lab.run(RESTARTS);
        int cap = 1;
        for (String codec : List.of("gzip", "snappy", "lz4", "zstd")) {
            lab.compressRecords(codec);
            lab.write("policy.yaml", POLICY.formatted(++cap));
            lab.run("flotilla policy apply policy.yaml");
            int now = cap;
            await(
                    "kubectl -n flotilla get policy fleet -o jsonpath='{.spec.caps.inFlight} {.status.phase}'",
                    said -> said.strip().equals(now + " Accepted"));
        }
        assertThat(lab.run(RESTARTS)).isEqualTo(before);
    }

    @Test
    @Order(4)
    void campaignCountsItsMachines() throws IOException {
        lab.write("campaign.yaml", """
            apiVersion: flotilla.dev/v1
            kind: Campaign
            metadata: {name: waits}
            spec:
              target: {option: version=%s}
              select: {}
              waves: [{name: all, approval: before}]
            """.formatted(KubeadmCluster.SECOND_VERSION));
        lab.run("kubectl -n flotilla apply -f campaign.yaml");
        await(
                "kubectl -n flotilla get campaign waits -o jsonpath='{.status.machines}'",
                said -> said.contains("\"total\":1"));
        // The counts are the orchestrator's answer, and may be there before its decision has come through Kafka.
        await("kubectl -n flotilla get campaigns", said -> said.contains("Running") && said.contains("approve"));
        lab.run("kubectl -n flotilla delete campaign waits --timeout=120s");
    }

    @Test
    @Order(5)
    void webhooksAnswerThroughTheirServices() throws IOException {
        lab.run(
                "kubectl -n fleet annotate machine blue-node1 v1beta2.k8sd.io/in-place-upgrade-to=channel=1.36-classic/stable");
        assertThat(lab.run("kubectl -n fleet get machine blue-node1 -o jsonpath='{.metadata.annotations}'"))
                .contains("\"flotilla.dev/upgrade-to\":\"channel=1.36-classic/stable\"")
                .doesNotContain("v1beta2.k8sd.io/in-place-upgrade-to");
        lab.run("kubectl -n fleet annotate machine blue-node1 flotilla.dev/upgrade-to-");

        lab.write("wrong.yaml", """
            apiVersion: flotilla.dev/v1
            kind: Campaign
            metadata: {name: wrong}
            spec:
              target: {option: version=v1.36.3, expectedVersion: 1.36.3}
              select: {}
              windows: [{days: [sat], from: "22:00", to: "23:00", zone: Europe/Berln}]
            """);
        CliResult denied = lab.runToEnd("kubectl -n flotilla apply -f wrong.yaml");
        assertThat(denied.exit()).isNotZero();
        assertThat(denied.out()).contains("check-manifest.flotilla.dev", "Europe/Berln");
    }

    @Test
    @Order(6)
    void machineIsUpgraded() throws IOException {
        lab.cluster().run(InstallLab.NODES.getFirst(), "sh", "-c", """
                folder=/var/lib/flotilla/packages/%1$s
                mkdir -p $folder
                ln -s /opt/packages/kubernetes-%1$s/kubeadm /opt/packages/kubernetes-%1$s/kubelet $folder/
                ln -s /opt/packages/images/kubernetes-%1$s $folder/images
                """.formatted(KubeadmCluster.SECOND_VERSION));
        // Images come to the node by name, without a registry that would give them a digest.
        lab.run("kubectl label namespace fleet flotilla.dev/image-tags=allowed");
        lab.write(
                "kubeadm.yaml",
                Files.readString(CliResult.ROOT.resolve("deploy/node-upgrader/plans/kubeadm.yaml"))
                        .replace("busybox:1.37.0", KubeadmCluster.BUSYBOX)
                        .replace(
                                "{name: KUBEADM_FLAGS, value: \"\"}",
                                "{name: KUBEADM_FLAGS, value: --ignore-preflight-errors=all}"));
        lab.run("kubectl apply -f deploy/node-upgrader/rbac-workload.yaml");
        lab.run("kubectl apply -f kubeadm.yaml");
        lab.write("task.yaml", """
            apiVersion: flotilla.dev/v1alpha1
            kind: UpgradeTask
            metadata: {name: to-second, namespace: fleet}
            spec: {clusterName: blue, target: {version: %s}, machines: [blue-node1]}
            """.formatted(KubeadmCluster.SECOND_VERSION));
        lab.run("kubectl apply -f task.yaml");
        await("kubectl -n fleet get upgradetask to-second -o jsonpath='{.status.phase}'", said -> {
            reportNode();
            return said.strip().equals("Completed");
        });
        assertThat(lab.run("kubectl get nodes"))
                .contains(KubeadmCluster.SECOND_VERSION)
                .contains(" Ready ");
        lab.run("kubectl -n fleet get upgradetasks,nodeupgrades");
        assertThat(lab.run("kubectl -n fleet get nodeupgrades -o jsonpath='{.items[*].status.phase}'"))
                .isEqualTo("Succeeded");
        assertThat(lab.run("flotilla journal verify")).contains("the chain is intact");
    }

    @Test
    @Order(7)
    void upgradeRunsTheCheckAndRollbackGoesBack() {
        lab.run(command("flotilla fleet freeze --reason \"upgrade of Flotilla\""));
        lab.run(fleetUpgrade() + " --set orchestrator.podAnnotations.round=two --timeout 10m");
        assertThat(lab.run("kubectl -n flotilla get events --field-selector involvedObject.kind=Job"))
                .contains("flotilla-upgrade-check", "Completed");
        lab.run(ROLLED_OUT.formatted("orchestrator"));
        assertThat(roundOfOrchestrator()).isEqualTo("two");
        lab.run("helm rollback flotilla-fleet -n flotilla");
        lab.run(ROLLED_OUT.formatted("orchestrator"));
        assertThat(roundOfOrchestrator()).isEmpty();
        lab.run(command("helm history flotilla-site"));
        lab.run(command("flotilla fleet unfreeze --reason \"upgraded\""));
        await("flotilla site list", said -> said.matches("(?s).*east\\s+connected.*"));
        assertThat(lab.run("flotilla journal verify")).contains("the chain is intact");
    }

    private static String fleetUpgrade() {
        return command("helm upgrade flotilla-fleet deploy/charts/flotilla-fleet -n flotilla -f fleet.yaml")
                + " -f small.yaml";
    }

    private static String roundOfOrchestrator() {
        return lab.run("kubectl -n flotilla get deployment flotilla-orchestrator"
                        + " -o jsonpath='{.spec.template.metadata.annotations.round}'")
                .strip();
    }

    @Test
    @Order(8)
    void nothingRunsAfterItIsRemoved() {
        lab.run("kubectl -n flotilla delete policy fleet");
        lab.run(command("helm uninstall flotilla-site"));
        lab.run(command("helm uninstall flotilla-fleet"));
        lab.run(command("helm uninstall flotilla-crds"));
        await("kubectl -n flotilla get pods -o name", String::isBlank);
        assertThat(lab.run(
                        "kubectl get mutatingwebhookconfigurations,validatingadmissionpolicies,clusterroles -o name"))
                .doesNotContain("flotilla-intercept", "flotilla-campaign-controller", "flotilla-management-watcher");
        assertThat(lab.run("kubectl get crd -o name").toLowerCase(Locale.ROOT))
                .contains("upgradetasks.flotilla.dev", "campaigns.flotilla.dev");
        // A write that a webhook left behind would reject.
        lab.run(
                "kubectl -n fleet annotate machine blue-node1 v1beta2.k8sd.io/in-place-upgrade-to=channel=1.36-classic/stable");
    }

    /** Repeats a command, which takes a moment, until it prints what is expected. */
    private static void await(String command, Predicate<String> expected) {
        long until = System.nanoTime() + PATIENCE_NANOS;
        CliResult said = lab.runToEnd(command);
        while (said.exit() != 0 || !expected.test(said.out())) {
            assertThat(System.nanoTime()).as("%s: %s", command, said.out()).isLessThan(until);
            said = lab.runToEnd(command);
        }
    }
}
