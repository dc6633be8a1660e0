package dev.flotilla.core.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeTargetMatcherTest {
    @ParameterizedTest
    @CsvSource({
        "1.33-classic/stable, v1.33.2, true",
        "1.33/stable, v1.33.0, true",
        "1.33, v1.33.0, true",
        "1.33-classic/stable, v1.3.3, false",
        "1.3-classic/stable, v1.33.0, false",
        "latest/edge, v1.33.0, true",
        "1.x/stable, v1.33.0, true",
        "1.33.2/stable, v1.40.0, true",
        "1., v1.33.0, true",
    })
    void aChannelsTrackGivesTheMinorVersion(String channel, String version, boolean fits) {
        var command =
                UpgradeProcedureHarness.command(MachineRole.WORKER, new UpgradeTarget.Channel(channel), null, null);
        assertThat(NodeTargetMatcher.versionFits(new NodeInspection.ObservedNode("1", version, true, true), command))
                .isEqualTo(fits);
    }

    @ParameterizedTest
    @CsvSource({
        "1.33-classic/stable, true",
        "1.33, true",
        "9.09/stable, true",
        "latest/edge, false",
        "1.x/stable, false",
        "1., false",
        "1, false",
        ".33/stable, false",
        "1.33.2/stable, false",
        "1:33/stable, false",
        "1.33:/stable, false",
        "1./33, false",
    })
    void aTrackMayHaveNoVersion(String channel, boolean known) {
        var command =
                UpgradeProcedureHarness.command(MachineRole.WORKER, new UpgradeTarget.Channel(channel), null, null);
        assertThat(NodeTargetMatcher.versionIsKnown(command)).isEqualTo(known);
        var expecting =
                UpgradeProcedureHarness.command(MachineRole.WORKER, new UpgradeTarget.Channel(channel), "1.33.2", null);
        assertThat(NodeTargetMatcher.versionIsKnown(expecting)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"3421, v1.33.2, true", "3421, v1.32.9, false", "3000, v1.33.2, false", ", v1.33.2, false"})
    void aNodeIsAtItsTargetWithTheResolvedRevisionAndAMatchingVersion(String revision, String version, boolean there) {
        var channel = UpgradeProcedureHarness.command(
                MachineRole.WORKER, new UpgradeTarget.Channel("1.33-classic/stable"), null, "3421");
        assertThat(NodeTargetMatcher.isAtTarget(
                        new NodeInspection.ObservedNode(revision, version, true, false), channel))
                .isEqualTo(there);
        var named =
                UpgradeProcedureHarness.command(MachineRole.WORKER, new UpgradeTarget.Revision("3421"), "1.33.2", null);
        assertThat(NodeTargetMatcher.isAtTarget(new NodeInspection.ObservedNode(revision, version, true, false), named))
                .isEqualTo(there);
    }

    @org.junit.jupiter.api.Test
    void noNodeIsAtAnUnresolvedChannel() {
        var command = UpgradeProcedureHarness.command(
                MachineRole.WORKER, new UpgradeTarget.Channel("1.33-classic/stable"), null, null);
        assertThat(NodeTargetMatcher.isAtTarget(
                        new NodeInspection.ObservedNode("3421", "v1.33.2", true, false), command))
                .isFalse();
        assertThat(NodeTargetMatcher.isAtTarget(new NodeInspection.ObservedNode(null, "v1.33.2", true, false), command))
                .isFalse();
    }

    @ParameterizedTest(name = "{0} where {1} showed before: {2}")
    @CsvSource(
            nullValues = "-",
            value = {"x2, x1, true", "x2, '', true", "x1, x1, false", "x1, -, false", "-, x1, false"})
    void aLocalFileIsProvenByANewRevision(String revision, String before, boolean proven) {
        var command = UpgradeProcedureHarness.command(
                MachineRole.WORKER, new UpgradeTarget.LocalPath("/opt/k8s.snap"), null, null);
        NodeInspection.ObservedNode node = new NodeInspection.ObservedNode(revision, "v1.33.2", true, false);
        assertThat(NodeTargetMatcher.isAtTargetAfterChange(node, command, before))
                .isEqualTo(proven);
        assertThat(NodeTargetMatcher.isAtTarget(node, command)).isFalse();
    }

    @ParameterizedTest(name = "{0} {1} where {2} showed before: {3}")
    @CsvSource(
            nullValues = "-",
            value = {
                "3422, v1.33.2, 3421, true",
                "3422, v1.33.2, -, true",
                "3421, v1.33.2, 3421, false",
                "3422, v1.32.2, 3421, false",
                "3422, -, 3421, false",
                "-, v1.33.2, 3421, false"
            })
    void anUnresolvedChannelIsProvenByANewRevisionOfItsVersion(
            String revision, String version, String before, boolean proven) {
        var command = UpgradeProcedureHarness.command(
                MachineRole.WORKER, new UpgradeTarget.Channel("1.33-classic/stable"), null, null);
        assertThat(NodeTargetMatcher.isAtTargetAfterChange(
                        new NodeInspection.ObservedNode(revision, version, true, false), command, before))
                .isEqualTo(proven);
    }
}
