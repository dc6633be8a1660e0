package dev.flotilla.clusterapi.registration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which ExtensionConfigs serve the same hooks in the same namespaces. */
class ExtensionConflictFinderTest {
    private static final String ENABLED = "'matchLabels': {'flotilla.dev/in-place': 'enabled'}";
    private static final List<KubeObject> NAMESPACES =
            List.of(namespace("b", "enabled"), namespace("a", "enabled"), namespace("c", "other"));

    private static KubeObject json(String text) {
        return Objects.requireNonNull(KubeObject.parse(text.replace('\'', '"')));
    }

    private static KubeObject namespace(String name, String inPlace) {
        return json("{'metadata': {'name': '%s', 'labels': {'flotilla.dev/in-place': '%s'}}}".formatted(name, inPlace));
    }

    private static RegisteredExtension extension(String name, String service, String selector, String hook) {
        return new RegisteredExtension(json(
                "{'metadata': {'name': '%s'}, 'spec': {'clientConfig': {'service': {'name': '%s'}}, 'namespaceSelector': {%s}}, 'status': {'handlers': [{'requestHook': {'hook': '%s'}}]}}"
                        .formatted(name, service, selector, hook)));
    }

    private static RegisteredExtension ours(String name) {
        return extension(name, "flotilla-cluster-api-extension", ENABLED, "");
    }

    private static List<ExtensionConflict> find(RegisteredExtension... extensions) {
        return ExtensionConflictFinder.findConflicts(List.of(extensions), NAMESPACES);
    }

    @Test
    void anExtensionForAllNamespacesConflictsInOurs() {
        assertThat(find(ours("flotilla"), extension("vendor", "v", "", "UpdateMachine")))
                .containsExactly(new ExtensionConflict("flotilla", "vendor", List.of("a", "b")));
    }

    @Test
    void anExtensionOfOtherHooksOrOtherNamespacesDoesNot() {
        assertThat(find(
                        ours("flotilla"),
                        extension("topology", "v", "", "GeneratePatches"),
                        extension("vendor", "v", "'matchLabels': {'flotilla.dev/in-place': 'other'}", "UpdateMachine")))
                .isEmpty();
    }

    @Test
    void twoOfOursConflictOnce() {
        assertThat(find(ours("one"), ours("two")))
                .containsExactly(new ExtensionConflict("one", "two", List.of("a", "b")));
    }

    @Test
    void beforeOursExistsTheLabelCounts() {
        assertThat(find(extension("vendor", "v", "", "CanUpdateMachineSet")))
                .containsExactly(new ExtensionConflict("", "vendor", List.of("a", "b")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'key': 'flotilla.dev/in-place', 'operator': 'In', 'values': ['enabled']; true",
                "'key': 'flotilla.dev/in-place', 'operator': 'In', 'values': ['x']; false",
                "'key': 'flotilla.dev/in-place', 'operator': 'NotIn', 'values': ['enabled']; false",
                "'key': 'x', 'operator': 'NotIn', 'values': ['enabled']; true",
                "'key': 'flotilla.dev/in-place', 'operator': 'Exists'; true",
                "'key': 'x', 'operator': 'Exists'; false",
                "'key': 'x', 'operator': 'DoesNotExist'; true",
                "'key': 'flotilla.dev/in-place', 'operator': 'DoesNotExist'; false"
            },
            quoteCharacter = '`')
    void expressionsMatchAsTheApiServersDo(String expression, boolean matches) {
        RegisteredExtension vendor =
                extension("vendor", "v", "'matchExpressions': [{%s}]".formatted(expression), "UpdateMachine");
        assertThat(vendor.matches(namespace("a", "enabled"))).isEqualTo(matches);
    }

    @Test
    void aMessageNamesWhoWhereAndWhatToDo() {
        assertThat(new ExtensionConflict("flotilla", "vendor", List.of("a", "b")).describe())
                .contains("vendor", "flotilla", "a, b", "namespaceSelector");
    }
}
