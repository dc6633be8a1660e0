package dev.flotilla.clusterapi.hook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that the managers of Cluster API 1.14 have sent: what they do after our response. */
class CapturedRequestsTest {
    private static final Path FOLDER = Path.of("src/test/resources/dev/flotilla/clusterapi/captured");

    private final HookHandler hookHandler = CallerOfHooks.handler();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            02-files-canupdatemachine-controlplane             | {}                              | replaced
            02-files-canupdatemachine-controlplane             | {'uncovered': 'stop'}           | stopped
            02-files-canupdatemachine-controlplane             | {'apply.KubeadmConfig': 'files'} | in place
            02-files-canupdatemachine-controlplane             | {'ignore.KubeadmConfig': 'files'} | in place
            03-files-canupdatemachineset                       | {}                              | replaced
            03-files-canupdatemachineset                       | {'apply.KubeadmConfig': 'files'} | in place
            08-version-canupdatemachine-controlplane           | {}                              | in place
            08-version-canupdatemachine-controlplane           | {'defaults': 'none'}            | replaced
            09-version-canupdatemachineset                     | {}                              | in place
            12-minor-version-canupdatemachine-controlplane     | {}                              | in place
            13-unsupported-canupdatemachine-controlplane       | {}                              | replaced
            14-unsupported-canupdatemachineset                 | {}                              | replaced
            20-after-core-restart-canupdatemachineset-partly-moved | {'apply.KubeadmConfig': 'files'} | in place
            22-mergepatch-canupdatemachine-controlplane        | {'apply.KubeadmConfig': 'files preKubeadmCommands'} | in place
            23-mergepatch-canupdatemachineset                  | {'apply.KubeadmConfig': 'files,preKubeadmCommands'} | in place
            24-mergepatch-minor-version-canupdatemachine-controlplane | {}                       | in place
            08-version-canupdatemachine-controlplane           | {'uncoverd': 'stop'}            | stopped
            """)
    void managersDo(String file, String settings, String outcome) throws IOException {
        KubeObject captured = CallerOfHooks.parse(Files.readAllBytes(FOLDER.resolve(file + ".json")));
        KubeObject request = new KubeObject(captured.json().toBuilder()
                .put("settings", CallerOfHooks.parse(settings).json())
                .build());
        Hook hook = hookOf(request);
        KubeObject response = answer(hook, request.json());
        boolean inPlace = CallerOfHooks.updatesInPlace(
                request, response, hook == Hook.CAN_UPDATE_MACHINE ? HookObject.OF_MACHINE : HookObject.OF_MACHINE_SET);
        String happens = inPlace ? "in place" : "Success".equals(response.text("status")) ? "replaced" : "stopped";
        assertThat(happens).as(KubeObject.toJsonText(response.json())).isEqualTo(outcome);
        assertThat(response.text("kind")).isEqualTo(hook.hookName() + "Response");
        if (!inPlace) {
            assertThat(response.text("message")).isNotBlank();
        }
    }

    static Stream<Path> requests() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("requests")
    void everyRequestIsAnsweredByItsHook(Path file) throws IOException {
        KubeObject request = CallerOfHooks.parse(Files.readAllBytes(file));
        Hook hook = hookOf(request);
        KubeObject response = answer(hook, request.json());
        assertThat(response.text("status")).isEqualTo("Success");
        if (hook == Hook.UPDATE_MACHINE) {
            assertThat(response.number("retryAfterSeconds")).isEqualTo(5);
        }
        if (hook == Hook.DISCOVERY) {
            assertThat(response.list("handlers"))
                    .allSatisfy(
                            handler -> assertThat(handler.text("failurePolicy")).isEqualTo("Fail"))
                    .extracting(handler -> handler.text("requestHook", "hook"))
                    .containsExactly("CanUpdateMachine", "CanUpdateMachineSet", "UpdateMachine");
        }
    }

    private KubeObject answer(Hook hook, JsonObjectReader request) {
        return CallerOfHooks.parse(hookHandler.answer(hook, HookResponse.bytes(request)));
    }

    private static Hook hookOf(KubeObject request) {
        return Stream.of(Hook.values())
                .filter(hook -> (hook.hookName() + "Request").equals(request.text("kind")))
                .findFirst()
                .orElseThrow();
    }
}
