package dev.flotilla.clusterapi.hook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.kube.KubeObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damaged requests: whatever arrives, the answer is a response, and never one that ends an update or patches something else. */
class MutatedRequestsTest {
    private static final Path FOLDER = Path.of("src/test/resources/dev/flotilla/clusterapi/captured");
    private static final int BODIES = Integer.getInteger("flotilla.mutations", 5_000);
    private static final List<String> TOKENS = List.of(
            "null",
            "{}",
            "[]",
            "1.0",
            "-1",
            "\"\"",
            "true",
            "\"v1.35.0\"",
            "\"v9.99.99\"",
            "1e999",
            "\\u0000",
            "{",
            "}",
            ",");

    private final HookHandler hookHandler = CallerOfHooks.handler();

    @ParameterizedTest
    @EnumSource
    void damagedRequestGetsAnAnswer(Hook hook) throws IOException {
        long seed = 20261126 + hook.ordinal();
        Random random = new Random(seed);
        List<byte[]> originals;
        try (Stream<Path> files = Files.list(FOLDER)) {
            originals = files.sorted().map(MutatedRequestsTest::read).toList();
        }
        int inPlace = 0;
        for (int i = 0; i < BODIES; i++) {
            byte[] body = mutate(originals.get(random.nextInt(originals.size())), random);
            String text = new String(body, StandardCharsets.UTF_8);
            KubeObject response = CallerOfHooks.parse(hookHandler.answer(hook, body));
            assertThat(response.text("status")).as(text).isIn("Success", "Failure");
            if (hook == Hook.UPDATE_MACHINE && "Success".equals(response.text("status"))) {
                assertThat(response.number("retryAfterSeconds")).as(text).isPositive();
            }
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
        System.out.printf("%-20s seed %d: %d requests, %d with patches%n", hook, seed, BODIES, inPlace);
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

    /** Replaces, removes or repeats a few pieces: values, names, or single bytes. */
    private static byte[] mutate(byte[] original, Random random) {
        StringBuilder text = new StringBuilder(new String(original, StandardCharsets.UTF_8));
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(4)) {
                case 0 -> replaceValue(text, at, TOKENS.get(random.nextInt(TOKENS.size())));
                case 1 -> text.deleteCharAt(at);
                case 2 -> text.insert(at, TOKENS.get(random.nextInt(TOKENS.size())));
                default -> replaceValue(text, at, Integer.toString(random.nextInt()));
            }
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Replaces the next scalar after a position. */
    private static void replaceValue(StringBuilder text, int from, String value) {
        int colon = text.indexOf(":\"", from);
        int end = colon < 0 ? -1 : text.indexOf("\"", colon + 2);
        if (end > 0) {
            text.replace(colon + 1, end + 1, value);
        }
    }
}
