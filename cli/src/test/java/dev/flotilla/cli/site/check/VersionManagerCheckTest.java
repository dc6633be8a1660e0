package dev.flotilla.cli.site.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.VersionField;
import dev.flotilla.schemas.row.VersionFieldKind;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class VersionManagerCheckTest {
    private static ClusterRow cluster(String name, @Nullable String manager) {
        return new ClusterRow(
                        new ClusterKey(new SiteId("east"), "fleet", name), "uid", Labels.NONE, false, false, null, 3, 0)
                .withVersionFields(List.of(
                        new VersionField(VersionFieldKind.CONTROL_PLANE, name + "-cp", "v1.35.4", manager, null)));
    }

    @Test
    void aToolOfGitOpsIsNamedWithItsCluster() {
        CheckResult result = VersionManagerCheck.checkVersions(
                List.of(cluster("blue", "kubectl-edit"), cluster("red", "argocd-controller"), cluster("green", null)));
        assertThat(result.status()).isEqualTo(CheckResult.CheckStatus.DIFFERS);
        assertThat(result.message())
                .startsWith(
                        "GitOps writes the version of control plane red-cp of east/fleet/red (argocd-controller): let");
    }

    @Test
    void ofManyTheFirstFiveAreNamed() {
        CheckResult result = VersionManagerCheck.checkVersions(IntStream.range(0, 7)
                .mapToObj(i -> cluster("c" + i, "kustomize-controller"))
                .toList());
        assertThat(result.message()).contains("c4-cp").doesNotContain("c5-cp").contains(" and 2 more: let");
    }

    @Test
    void campaignsAndPeopleMayWriteVersions() {
        assertThat(VersionManagerCheck.checkVersions(List.of(cluster("blue", "flotilla-campaign")))
                        .status())
                .isEqualTo(CheckResult.CheckStatus.OK);
    }

    @Test
    void nothingIsSaidWhereClusterApiUpdatesNothingInPlace() {
        assertThat(VersionManagerCheck.checkVersions(List.of())).isNull();
    }
}
