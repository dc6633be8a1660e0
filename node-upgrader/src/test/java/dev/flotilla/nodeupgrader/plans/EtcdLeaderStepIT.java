package dev.flotilla.nodeupgrader.plans;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import dev.flotilla.testkit.kafka.FreePorts;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.process.ChildProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The step {@code etcd-leader} of the plan {@code kubeadm}, on members of a real etcd with kubeadm's certificates. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class EtcdLeaderStepIT {
    private static final Pattern MEMBER = Pattern.compile("\"member_id\":\"(\\d+)\"");
    private static final Pattern LEADER = Pattern.compile("\"leader\":\"(\\d+)\"");

    @TempDir
    private Path folder;

    private Path pki;
    private final List<ChildProcess> members = new ArrayList<>();
    private List<Integer> ports = List.of();

    @BeforeEach
    void writeCertificates() throws Exception {
        pki = Files.createDirectories(folder.resolve("pki/etcd"));
        CertificateAuthority authority = CertificateAuthority.create("etcd-ca");
        KeyAndCertificate server = authority.issue("member");
        Files.writeString(pki.resolve("ca.crt"), authority.certificate());
        Files.writeString(pki.resolve("server.crt"), server.certificate());
        Files.writeString(pki.resolve("server.key"), server.key());
        Files.writeString(Files.createDirectories(folder.resolve("manifests")).resolve("etcd.yaml"), "");
    }

    @AfterEach
    void stopMembers() {
        members.forEach(ChildProcess::close);
    }

    private void start(int count) throws Exception {
        ports = IntStream.range(0, count).map(each -> FreePorts.next()).boxed().toList();
        List<Integer> peers =
                IntStream.range(0, count).map(each -> FreePorts.next()).boxed().toList();
        String cluster = IntStream.range(0, count)
                .mapToObj(each -> "m%d=http://127.0.0.1:%d".formatted(each, peers.get(each)))
                .collect(Collectors.joining(","));
        String program =
                KubeBinaries.find().orElseThrow().folder().resolve("etcd").toString();
        for (int i = 0; i < count; i++) {
            String client = "https://127.0.0.1:" + ports.get(i);
            String peer = "http://127.0.0.1:" + peers.get(i);
            members.add(ChildProcess.startProgram(
                    "etcd-" + i,
                    folder,
                    List.of(
                            program,
                            "--name=m" + i,
                            "--data-dir=" + folder.resolve("data-" + i),
                            "--listen-client-urls=" + client,
                            "--advertise-client-urls=" + client,
                            "--listen-peer-urls=" + peer,
                            "--initial-advertise-peer-urls=" + peer,
                            "--initial-cluster=" + cluster,
                            "--client-cert-auth",
                            "--trusted-ca-file=" + pki.resolve("ca.crt"),
                            "--cert-file=" + pki.resolve("server.crt"),
                            "--key-file=" + pki.resolve("server.key"),
                            "--log-level=warn",
                            "--unsafe-no-fsync"),
                    Map.of()));
        }
        for (int i = 0; i < count; i++) {
            int member = i;
            members.get(i).awaitReady(() -> !find(LEADER, status(member)).isEmpty());
        }
    }

    /** Asks a member for its status, as a person would. */
    private String status(int member) {
        try {
            Process curl = new ProcessBuilder(
                            "curl",
                            "-sS",
                            "--retry",
                            "2",
                            "--cacert",
                            pki.resolve("ca.crt").toString(),
                            "--cert",
                            pki.resolve("server.crt").toString(),
                            "--key",
                            pki.resolve("server.key").toString(),
                            "-d",
                            "{}",
                            "https://127.0.0.1:" + ports.get(member) + "/v3/maintenance/status")
                    .redirectErrorStream(true)
                    .start();
            return new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private static String find(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : "";
    }

    private int leader() {
        return IntStream.range(0, members.size())
                .filter(each -> find(MEMBER, status(each)).equals(find(LEADER, status(each))))
                .findFirst()
                .orElseThrow();
    }

    private ShippedPlan.CommandResult moveLeaderAwayFrom(int member) throws Exception {
        return ShippedPlan.run(
                "kubeadm",
                "etcd-leader",
                Map.of(
                        "KUBERNETES",
                        folder.toString(),
                        "ETCD",
                        "https://127.0.0.1:" + ports.get(member),
                        "FLOTILLA_MESSAGE_FILE",
                        folder.resolve("message").toString()));
    }

    @Test
    void eachMemberHandsTheLeadershipOverBeforeItIsTouched() throws Exception {
        start(3);
        for (int member = 0; member < 3; member++) {
            String self = find(MEMBER, status(member));
            ShippedPlan.CommandResult result = moveLeaderAwayFrom(leader());
            assertThat(result.exit()).as(result.output()).isZero();
            assertThat(moveLeaderAwayFrom(member).exit()).isZero();
            assertThat(find(LEADER, status(member))).isNotIn("", "0", self);
            for (int i = 0; i < 3; i++) {
                int other = i;
                members.get(i).awaitReady(() -> !List.of("", "0", self).contains(find(LEADER, status(other))));
            }
        }
    }

    @Test
    void followerAndSingleMemberHaveNothingToMove() throws Exception {
        start(1);
        String before = find(LEADER, status(0));
        ShippedPlan.CommandResult result = moveLeaderAwayFrom(0);
        assertThat(result.exit()).as(result.output()).isZero();
        assertThat(find(LEADER, status(0))).isEqualTo(before);
    }

    @Test
    void etcdThatDoesNotRespondIsTriedAgainAndOneOutsideOfTheClusterIsNotAsked() throws Exception {
        ports = List.of(FreePorts.next());
        assertThat(moveLeaderAwayFrom(0).exit()).isEqualTo(20);
        assertThat(folder.resolve("message")).content().contains("etcd of this node does not respond");
        Files.delete(folder.resolve("manifests/etcd.yaml"));
        assertThat(moveLeaderAwayFrom(0).exit()).isZero();
    }
}
