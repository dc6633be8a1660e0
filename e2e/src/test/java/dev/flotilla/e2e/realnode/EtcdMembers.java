package dev.flotilla.e2e.realnode;

import dev.flotilla.testkit.node.KubeadmCluster;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The members of etcd on control-plane nodes, asked on the nodes with kubeadm's certificates. */
public record EtcdMembers(KubeadmCluster nodes) {
    private static final Pattern SELF = Pattern.compile("\"member_id\":\"(\\d+)\"");
    private static final Pattern LEADER = Pattern.compile("\"leader\":\"(\\d+)\"");

    /** Returns whether the member on a node leads. */
    public boolean leads(String node) {
        String status = status(node);
        return find(SELF, status).equals(find(LEADER, status));
    }

    /** Moves the leadership to the member on a node. */
    public void moveLeadershipTo(String node, List<String> members) {
        String target = find(SELF, status(node));
        for (String each : members) {
            if (!each.equals(node) && leads(each)) {
                ask(each, "maintenance/transfer-leadership", "{\"targetID\":\"" + target + "\"}");
            }
        }
    }

    private String status(String node) {
        return ask(node, "maintenance/status", "{}");
    }

    private String ask(String node, String path, String body) {
        String pki = "/etc/kubernetes/pki/etcd/";
        return nodes.run(
                node,
                "curl",
                "-fsS",
                "--retry",
                "30",
                "--retry-all-errors",
                "--retry-delay",
                "1",
                "--noproxy",
                "*",
                "--cacert",
                pki + "ca.crt",
                "--cert",
                pki + "server.crt",
                "--key",
                pki + "server.key",
                "-d",
                body,
                "https://127.0.0.1:2379/v3/" + path);
    }

    private static String find(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException("etcd's answer has no " + pattern + ": " + text);
        }
        return matcher.group(1);
    }
}
