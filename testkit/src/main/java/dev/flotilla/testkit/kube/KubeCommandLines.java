package dev.flotilla.testkit.kube;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** The command lines of one cluster's programs. */
record KubeCommandLines(String cluster, KubeProcessFolder folder, ClusterCertificates certificates) {

    List<String> apiServer(String etcd, int port, Path auditLog, List<String> more) {
        List<String> command = new ArrayList<>(List.of(
                folder.program(KubeBinaries.Program.API_SERVER),
                "--etcd-servers=" + etcd,
                "--etcd-prefix=/" + cluster,
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                "--secure-port=" + port,
                "--cert-dir=" + folder.folder().resolve("api-server"),
                "--tls-cert-file=" + certificates.certificate("api-server"),
                "--tls-private-key-file=" + certificates.key("api-server"),
                "--client-ca-file=" + certificates.authorityFile(),
                "--token-auth-file=" + certificates.tokens(),
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + certificates.certificate("service-accounts"),
                "--service-account-signing-key-file=" + certificates.key("service-accounts"),
                "--service-cluster-ip-range=10.152.0.0/16",
                "--authorization-mode=RBAC",
                // Otherwise every pod would need the token of a service account, which the test bed does not create.
                "--disable-admission-plugins=ServiceAccount",
                "--allow-privileged=true",
                // The test sets the endpoints of `default/kubernetes` to members of its control plane.
                "--endpoint-reconciler-type=none",
                // All nodes are on this machine, by their Hostname; k8sd distinguishes them by their InternalIP.
                "--kubelet-preferred-address-types=Hostname,InternalIP",
                "--kubelet-certificate-authority=" + certificates.authorityFile(),
                "--kubelet-client-certificate=" + certificates.certificate("api-server-to-kubelets"),
                "--kubelet-client-key=" + certificates.key("api-server-to-kubelets"),
                "--audit-policy-file=" + folder.copy("audit-policy.yaml"),
                "--audit-log-path=" + auditLog));
        command.addAll(more);
        return command;
    }

    List<String> controllers(Path kubeconfig, int port, List<String> names) {
        return List.of(
                folder.program(KubeBinaries.Program.CONTROLLERS),
                "--kubeconfig=" + kubeconfig,
                "--authentication-kubeconfig=" + kubeconfig,
                "--authorization-kubeconfig=" + kubeconfig,
                "--bind-address=127.0.0.1",
                "--secure-port=" + port,
                "--cert-dir=" + folder.folder().resolve("controllers"),
                "--leader-elect=false",
                "--controllers=" + String.join(",", names));
    }

    List<String> kubelets(Path kubeconfig, int port, OptionalInt forwardsTo) {
        List<String> command = new ArrayList<>(List.of(
                folder.program(KubeBinaries.Program.KUBELETS),
                "--kubeconfig=" + kubeconfig,
                "--manage-all-nodes",
                "--node-ip=127.0.0.1",
                "--node-port=" + port,
                "--server-address=127.0.0.1:" + port,
                "--tls-cert-file=" + certificates.certificate("kubelets"),
                "--tls-private-key-file=" + certificates.key("kubelets"),
                "--config=" + folder.copy("kwok/nodes.yaml"),
                "--config=" + folder.copy("kwok/pods.yaml")));
        forwardsTo.ifPresent(target -> command.add("--config="
                + folder.write(
                        "forwards.yaml",
                        KubeProcessFolder.text("kwok/forwards.yaml").replace("PORT", Integer.toString(target)))));
        return command;
    }
}
