package dev.flotilla.nodeworker.node;

import static dev.flotilla.nodeworker.stub.KubeApiStub.done;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeworker.stub.NodeUpgradeApiStub;
import dev.flotilla.nodeworker.stub.SampleObjects;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Right before the call of a control-plane member, the etcd of each other member counts, and not its kubelet alone. */
class MemberDatastoreIT {
    private static final String PODS = "/api/v1/namespaces/kube-system/pods";

    private TwoClusterFixture world;
    private NodeUpgrader member;

    @BeforeEach
    void start() throws Exception {
        world = new TwoClusterFixture();
        NodeUpgradeApiStub.serve(world.management);
        member = world.upgrader(NodeUpgradeApiStub.member(7), false);
        assertThat(done(member.setGuards(TwoClusterFixture.NOW.plusSeconds(600), () -> {})))
                .isNull();
    }

    @AfterEach
    void stop() throws Exception {
        world.close();
    }

    private @Nullable String problem() throws Exception {
        return done(member.checkPreconditions());
    }

    private void etcd(String node, boolean ready) {
        world.workload.put(
                PODS + "/etcd-" + node,
                SampleObjects.json("{'metadata': {'labels': {'component': 'etcd', 'tier': 'control-plane'}},"
                        + " 'spec': {'nodeName': '" + node
                        + "'}, 'status': {'conditions': [{'type': 'Ready', 'status': '"
                        + (ready ? "True" : "False") + "'}]}}"));
    }

    private void etcdOfAll() {
        for (String node : new String[] {"cp-1", "cp-2", "cp-3"}) {
            etcd(node, true);
        }
    }

    private void voter(String node, String status) {
        JsonObject object = SampleObjects.member(SampleObjects.node(
                "100", "v1.34.1", TwoClusterFixture.NOW.minusSeconds(60), "10.0.1." + node.charAt(3)));
        object.getJsonObject("status")
                .getJsonArray("conditions")
                .add(SampleObjects.json("{'type': 'EtcdIsVoter', 'status': '" + status + "'}"));
        world.workload.put("/api/v1/nodes/" + node, object);
    }

    @Test
    void anExternalEtcdShowsNoPods() throws Exception {
        assertThat(problem()).isNull();
    }

    @Test
    void everyOtherMemberNeedsAReadyEtcd() throws Exception {
        etcdOfAll();
        assertThat(problem()).isNull();
        etcd("cp-3", false);
        assertThat(problem()).isEqualTo("etcd of control-plane member cp-3 is not Ready");
    }

    @Test
    void itsOwnEtcdMayBeDead() throws Exception {
        etcdOfAll();
        etcd("cp-1", false);
        assertThat(problem()).isNull();
    }

    @Test
    void aMemberWhoseEtcdWasNeverStartedDoesNotCount() throws Exception {
        etcd("cp-1", true);
        etcd("cp-2", true);
        assertThat(problem())
                .isEqualTo("etcd of control-plane member cp-3 has no pod, although other members have one");
    }

    @Test
    void aLearnerDoesNotCount() throws Exception {
        voter("cp-2", "True");
        voter("cp-3", "True");
        assertThat(problem()).isNull();
        voter("cp-2", "False");
        assertThat(problem())
                .isEqualTo("control-plane member cp-2 is no voter of etcd (condition EtcdIsVoter): it is a learner or"
                        + " not a member");
    }

    @Test
    void podsThatCannotBeListedForbidTheCall() throws Exception {
        world.workload.refuse("GET " + PODS, 403);
        assertThat(problem())
                .startsWith("the etcd pods of the control plane cannot be listed: 403")
                .contains("deploy/node-worker/rbac-workload.yaml");
    }

    @Test
    void membersOfK8sdHaveNoEtcdPods() throws Exception {
        etcd("cp-3", false);
        NodeUpgrader k8sd = world.member();
        assertThat(done(k8sd.setGuards(TwoClusterFixture.NOW.plusSeconds(600), () -> {})))
                .isNull();
        assertThat(done(k8sd.checkPreconditions())).isNull();
    }
}
