package dev.flotilla.clusterapi.hook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.clusterapi.update.ReachedMachine;
import dev.flotilla.kube.KubeObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damaged requests: whatever arrives, the answer is a response, and never one that ends an update or patches something else. */
class MutatedRequestsTest {
    private static final Path FOLDER = Path.of("src/test/resources/dev/flotilla/clusterapi/captured");
    private static final int BODIES = Integer.getInteger("flotilla.fuzz.records", 2_000);
    private static final long SEED = Long.getLong("flotilla.fuzz.seed", 20261126);

    private final HookHandler hookHandler = CallerOfHooks.handler();

    @ParameterizedTest
    @EnumSource
    void damagedRequestGetsAnAnswer(Hook hook) throws IOException {
        long seed = SEED + hook.ordinal();
        List<byte[]> originals;
        try (Stream<Path> files = Files.list(FOLDER)) {
            // Mostly requests of the hook itself, and some of the others.
            String own = "-" + hook.hookName().toLowerCase(Locale.ROOT) + "[-.].*";
            originals = files.sorted()
                    .flatMap(file -> Stream.generate(() -> file)
                            .limit(file.getFileName().toString().matches(".*" + own) ? 10 : 1))
                    .map(MutatedRequestsTest::read)
                    .toList();
        }
        BodyMutator mutator = new BodyMutator(originals, new Random(seed));
        int inPlace = 0;
        for (int i = 0; i < BODIES; i++) {
            byte[] body = mutator.next();
            String text = "body %d of -Dflotilla.fuzz.seed=%d: %s"
                    .formatted(i, SEED, new String(body, StandardCharsets.UTF_8));
            KubeObject response = CallerOfHooks.parse(hookHandler.answer(hook, body));
            assertThat(response.text("status")).as(text).isIn("Success", "Failure");
            if (hook == Hook.UPDATE_MACHINE && "Success".equals(response.text("status"))) {
                assertThat(response.number("retryAfterSeconds")).as(text).isPositive();
            }
            assertThat(response.text("kind")).as(text).isEqualTo(hook.hookName() + "Response");
            if (hook != Hook.UPDATE_MACHINE && hook != Hook.DISCOVERY && hasPatch(response)) {
                inPlace++;
                assertThat(CallerOfHooks.updatesInPlace(
                                CallerOfHooks.parse(body),
                                response,
                                hook == Hook.CAN_UPDATE_MACHINE ? HookObject.OF_MACHINE : HookObject.OF_MACHINE_SET))
                        .as("patches make what is desired: " + text)
                        .isTrue();
            }
        }
        System.out.printf("%-20s seed %d: %d requests, %d with patches%n", hook, SEED, BODIES, inPlace);
    }

    /** The Machine is at what one request asks for, so that "done" is right for it, and wrong for each request that asks for anything else. */
    @Test
    void damagedRequestIsDoneOnlyIfItAsksForWhatIsReached() {
        KubeObject original = withFilesApplied(read(FOLDER.resolve("11-version-updatemachine-worker-inprogress.json")));
        ReachedMachine machine = new ReachedMachine(original);
        HookHandler handler = CallerOfHooks.handler(machine::answer);
        BodyMutator mutator =
                new BodyMutator(List.of(HookResponse.bytes(original.json())), new Random(SEED + Hook.values().length));
        int done = 0;
        int success = 0;
        for (int i = 0; i < BODIES; i++) {
            byte[] body = mutator.next();
            KubeObject response = CallerOfHooks.parse(handler.answer(Hook.UPDATE_MACHINE, body));
            if ("Success".equals(response.text("status"))) {
                success++;
                if (Long.valueOf(0).equals(response.number("retryAfterSeconds"))) {
                    done++;
                    assertThat(appliedOf(CallerOfHooks.parse(body)))
                            .as(
                                    "body %d of -Dflotilla.fuzz.seed=%d: %s",
                                    i, SEED, new String(body, StandardCharsets.UTF_8))
                            .isEqualTo(appliedOf(original));
                }
            }
        }
        assertThat(done).as("requests that are done").isPositive().isLessThan(success);
        System.out.printf(
                "%-20s seed %d: %d requests, %d in progress, %d done%n",
                "reached machine", SEED, BODIES, success - done, done);
    }

    private static KubeObject withFilesApplied(byte[] request) {
        return new KubeObject(CallerOfHooks.parse(request).json().toBuilder()
                .put(
                        "settings",
                        CallerOfHooks.parse("{'apply.KubeadmConfig': 'files'}").json())
                .build());
    }

    /** Returns what a request asks to be applied, read without the code that is tested. */
    private static List<Object> appliedOf(KubeObject request) {
        KubeObject desired = request.object("desired");
        return Arrays.asList(
                desired.text("machine", "metadata", "name"),
                desired.text("machine", "metadata", "namespace"),
                desired.text("machine", "spec", "version"),
                desired.text("machine", "spec", "failureDomain"),
                desired.text("bootstrapConfig", "kind"),
                String.valueOf(desired.valueAt("bootstrapConfig", "spec", "files")));
    }

    /** Seed 20261126 found it: such a spec counted as an empty one. */
    @Test
    void specThatIsNoObjectIsNotPatched() {
        String request = """
                {"kind": "CanUpdateMachineRequest",
                 "current": {"machine": {"kind": "Machine", "spec": 1.0},
                             "infrastructureMachine": {"kind": "M", "spec": {}}},
                 "desired": {"machine": {"kind": "Machine", "spec": {"version": "v1.35.0"}},
                             "infrastructureMachine": {"kind": "M", "spec": {}}}}""";
        KubeObject response = CallerOfHooks.parse(
                hookHandler.answer(Hook.CAN_UPDATE_MACHINE, request.getBytes(StandardCharsets.UTF_8)));
        assertThat(response.text("message")).contains("current.machine has a spec that is no object");
        assertThat(hasPatch(response)).isFalse();
    }

    /** In memory, a small value takes tens of times its size: a body of 20 MiB with nothing else would end the process. */
    @Test
    void bodyOfVeryManyValuesIsNotRead() {
        String valid = "{\"kind\": \"x\", \"a\": [%s1]}";
        for (Hook hook : List.of(Hook.CAN_UPDATE_MACHINE, Hook.CAN_UPDATE_MACHINE_SET, Hook.UPDATE_MACHINE)) {
            KubeObject response = CallerOfHooks.parse(hookHandler.answer(
                    hook, valid.formatted("1,".repeat(HookHandler.MAX_VALUES)).getBytes(StandardCharsets.UTF_8)));
            assertThat(response.text("status")).isEqualTo("Failure");
            assertThat(response.text("message")).contains("at most 100000 values");
        }
        String text = "\"" + ",{[\\\"".repeat(HookHandler.MAX_VALUES) + "\", ";
        assertThat(CallerOfHooks.parse(hookHandler.answer(
                                Hook.UPDATE_MACHINE, valid.formatted(text).getBytes(StandardCharsets.UTF_8)))
                        .text("message"))
                .as("a file may have any characters")
                .isEqualTo("UpgradeTask x waits");
    }

    private static boolean hasPatch(KubeObject response) {
        return Stream.of(HookObject.values()).anyMatch(object -> response.has(object.field() + "Patch"));
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
