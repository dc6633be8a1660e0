package dev.flotilla.nodeworker.hands;

import static dev.flotilla.nodeworker.stub.KubeStub.done;
import static dev.flotilla.nodeworker.stub.TwoClusters.CANARY;
import static dev.flotilla.nodeworker.stub.TwoClusters.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.procedure.NodeInspection;
import dev.flotilla.nodeworker.k8sd.Pin;
import dev.flotilla.nodeworker.stub.TwoClusters;
import io.vertx.core.Future;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Every secret in this world holds a canary, and nothing that comes out of it may sing. */
class CanaryIT {
    private static final Pin PIN = new Pin("ab".repeat(32));

    private static String told(Supplier<Future<?>> act) {
        try {
            return String.valueOf(done(act.get()));
        } catch (Exception e) {
            StringWriter all = new StringWriter();
            e.printStackTrace(new PrintWriter(all, true));
            return all.toString();
        }
    }

    /** Everything that hands can be asked for. */
    private static List<String> everything(TwoClusters world) {
        List<String> told = new ArrayList<>();
        Hands hands = world.worker(7, "0/a");
        told.add(told(() -> hands.inspect(null)));
        told.add(told(() -> hands.guard(TwoClusters.NOW.plusSeconds(60), () -> {})));
        told.add(told(hands::judge));
        told.add(told(() -> hands.meet(PIN)));
        told.add(told(hands::way));
        told.add(told(hands::takeOver));
        told.add(told(hands::undo));
        told.add(hands.toString());
        return told;
    }

    /** The positive control: the secrets are there, are served, and are what the hands work with. */
    @Test
    void theSecretsAreReadAndUsed() throws Exception {
        try (TwoClusters world = new TwoClusters()) {
            List<String> told = everything(world);
            assertThat(told)
                    .as("all goes well")
                    .startsWith(String.valueOf(new NodeInspection.ObservedNode("100", "v1.34.1", true, false)), "null", "null", "null")
                    .noneMatch(text -> text.contains("Exception"));
            Way way = done(world.worker(7, "0/a").way());
            assertThat(way)
                    .isInstanceOfSatisfying(
                            Way.Open.class,
                            open -> assertThat(open.token().reveal()).isEqualTo(CANARY));
            assertThat(world.management.asked())
                    .contains("GET " + SECRETS + "blue-kubeconfig", "GET " + SECRETS + "blue-token");
            assertThat(world.management.served())
                    .as("a canary that is found where it is")
                    .contains(Base64.getEncoder().encodeToString(CANARY.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void nothingShowsASecretWhileAllGoesWell() throws Exception {
        try (TwoClusters world = new TwoClusters()) {
            assertThat(everything(world)).noneMatch(text -> text.contains(CANARY));
        }
    }

    @Test
    void nothingShowsASecretThatIsOfNoUse() throws Exception {
        for (String broken : List.of(CANARY, "a: [" + CANARY, "{\"users\": \"" + CANARY + "\"}", "\u0000" + CANARY)) {
            try (TwoClusters world = new TwoClusters()) {
                world.management.put(SECRETS + "blue-kubeconfig", TwoClusters.secret("value", broken));
                world.management.put(SECRETS + "blue-token", TwoClusters.secret(CANARY, broken));
                world.management.put(SECRETS + "blue-flotilla-pins", TwoClusters.secret("m-1", broken));
                world.management.put(TwoClusters.PINS, TwoClusters.pins("m-1", broken));
                assertThat(everything(world)).noneMatch(text -> text.contains(CANARY));
            }
        }
    }

    @Test
    void nothingShowsASecretWhereItIsNotTakenOrNobodyAnswers() throws Exception {
        try (TwoClusters world = new TwoClusters()) {
            world.workload.expect("another");
            assertThat(everything(world)).noneMatch(text -> text.contains(CANARY));
            world.workload.close();
            assertThat(everything(world)).noneMatch(text -> text.contains(CANARY));
        }
    }
}
