package dev.flotilla.clusterapi.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a machine keeps, and what is applied by whom. */
class IgnoredFieldsTest {
    private static KubeObject parse(String json) {
        return Objects.requireNonNull(KubeObject.parse(json.replace('\'', '"')));
    }

    private static CoverageTable table(String settings) {
        return ((CoverageSettings.SettingsResult.ValidSettings)
                        CoverageSettings.readSettings(parse(settings).json(), CoverageTable.DEFAULT))
                .table();
    }

    private static KubeObject state(String spec) {
        return parse("{'machine': {'kind': 'Machine', 'spec': {'version': 'v1.36.3', 'failureDomain': 'a'}},"
                + " 'infrastructureMachine': {'kind': 'M', 'spec': " + spec + "}}");
    }

    private static CoverageAnswer decide(CoverageTable table, String from, String to) {
        return CoverageDecider.decide(
                table,
                parse("{'current': " + KubeObject.toJsonText(state(from).json()) + ", 'desired': "
                        + KubeObject.toJsonText(state(to).json()) + "}"),
                HookObject.OF_MACHINE);
    }

    private static String keptAfter(String settings, String from, String to) {
        return ((CoverageAnswer.Covered) decide(table(settings), from, to))
                .ignored()
                .toString();
    }

    @Test
    void onlyChangedFieldsAreKeptAndWhatIsAppliedBelowThemIsNot() {
        String settings = "{'ignore.M': 'image, disks', 'apply.M': 'disks.size'}";
        assertThat(keptAfter(settings, "{'image': 'a'}", "{'image': 'b'}")).isEqualTo("M spec.image");
        assertThat(keptAfter(settings, "{}", "{'image': 'b', 'disks': {'kind': 'ssd'}}"))
                .isEqualTo("M spec.disks, M spec.image");
        assertThat(keptAfter(settings, "{'disks': {'size': 1}}", "{'disks': {'size': 2}}"))
                .isEmpty();
        assertThat(keptAfter(settings, "{}", "{'disks': {'size': 2}}")).isEmpty();
        assertThat(keptAfter(
                        settings, "{'disks': {'size': 1, 'kind': 'hdd'}}", "{'disks': {'size': 2, 'kind': 'ssd'}}"))
                .isEqualTo("M spec.disks");
    }

    @Test
    void namesInAnotherOrderAreNoChange() {
        IgnoredFields one = IgnoredFields.read(
                table("{'ignore.M': 'disks'}"),
                state("{'disks': {'a': 1, 'b': [{'c': 1, 'd': 2}]}}"),
                HookObject.OF_MACHINE);
        IgnoredFields other = IgnoredFields.read(
                table("{'ignore.M': 'disks'}"),
                state("{'disks': {'b': [{'d': 2, 'c': 1}], 'a': 1}}"),
                HookObject.OF_MACHINE);
        assertThat(one.values()).isEqualTo(other.values());
    }

    @Test
    void valuesAreNeverShown() {
        assertThat(((CoverageAnswer.Covered)
                                decide(table("{'ignore.M': 'token'}"), "{'token': 'S3cret'}", "{'token': 'other'}"))
                        .ignored()
                        .toString())
                .doesNotContain("S3cret");
    }

    @Test
    void whatADelegateAppliesIsCoveredAndIsNotForTheNodeUpgrader() {
        CoverageTable table = CoverageTable.DEFAULT.withDelegated("M", List.of(SpecPath.of("memoryMiB")));
        assertThat(decide(CoverageTable.DEFAULT, "{'memoryMiB': 1}", "{'memoryMiB': 2}"))
                .isInstanceOf(CoverageAnswer.NotCovered.class);
        CoverageAnswer.Covered covered = (CoverageAnswer.Covered) decide(table, "{'memoryMiB': 1}", "{'memoryMiB': 2}");
        assertThat(KubeObject.toJsonText(
                        Objects.requireNonNull(covered.patches().get(HookObject.INFRASTRUCTURE_MACHINE))))
                .isEqualTo("{\"spec\":{\"memoryMiB\":2}}");
        assertThat(covered.ignored().values()).isEmpty();
        assertThat(AppliedSpec.read(table, state("{'memoryMiB': 2}")).hasFields())
                .isFalse();
    }

    @Test
    void appliedFieldOfTheMachineItselfIsForTheNodeUpgrader() {
        assertThat(AppliedSpec.read(table("{'apply.Machine': 'failureDomain'}"), state("{}"))
                        .hasFields())
                .isTrue();
        assertThat(AppliedSpec.read(CoverageTable.DEFAULT, state("{}")).hasFields())
                .isFalse();
    }
}
