package dev.flotilla.schemas.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.NameValidator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpgradeTargetTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "channel=1.33-classic/stable",
                "channel=stable",
                "channel=1.33/edge/fix-1",
                "channel=latest/beta",
                "revision=1",
                "revision=3421",
                "revision=x1",
                "localPath=/srv/k8s.snap",
                "localPath=/srv/a b/k8s.snap",
                "version=v1.36.3",
                "version=v1.36.0-rc.1",
                "version=v1.36.3+k3s1",
                "version=v1.36.3-rc.1+rke2r1",
                "version=v10.200.3000",
                "spec=sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
            })
    void targetIsWrittenAsItWasRead(String text) {
        assertThat(UpgradeTarget.problemOf(text)).isNull();
        assertThat(UpgradeTarget.parse(text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "channel",
                "=",
                "channel=",
                "Channel=stable",
                "chanel=stable",
                "channel=a=b",
                " channel=stable",
                "channel=a//b",
                "channel=/a",
                "channel=a/",
                "channel=a/b/c/d",
                "channel=-a",
                "channel=a b",
                "channel=ä",
                "revision=",
                "revision=0",
                "revision=-1",
                "revision=1.5",
                "revision=x",
                "revision=12345678901",
                "revision=1 ",
                "localPath=",
                "localPath=k8s.snap",
                "localPath=/",
                "localPath=/a/",
                "localPath=/a//b",
                "localPath=/a/../b",
                "localPath=/a/./b",
                "localPath=/a\u0000b",
                "localPath=/a\nb",
                "version=",
                "version=v",
                "version=1.36.3",
                "version=V1.36.3",
                "version=v1.36",
                "version=v1.36.",
                "version=v1..3",
                "version=v.36.3",
                "version=v1.36.3.4",
                "version=v1.036.3",
                "version=v1.36.3-",
                "version=v1.36.3+",
                "version=v1.36.3+a+b",
                "version=v1.36.3-rc_1",
                "version=v1.36.3 ",
                "version=v1.36.3-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "spec=",
                "spec=sha256:",
                "spec=sha512:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                "spec=sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde",
                "spec=sha256:0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef",
                "spec=sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdeg"
            })
    void rejectsInvalidTarget(String text) {
        assertThat(UpgradeTarget.problemOf(text)).isNotBlank();
    }

    @ParameterizedTest
    @CsvSource({
        "channel=1.33-classic/stable, K8SD",
        "revision=3421, K8SD",
        "localPath=/srv/k8s.snap, K8SD",
        "version=v1.36.3, NODE_UPGRADE",
        "spec=sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef, NODE_UPGRADE"
    })
    void exactlyOneProviderAppliesTarget(String text, UpgradeProvider only) {
        UpgradeTarget target = UpgradeTarget.parse(text);
        for (UpgradeProvider provider : UpgradeProvider.values()) {
            assertThat(provider.canApply(target)).as(provider.label()).isEqualTo(provider == only);
        }
    }

    @Test
    void providersAreNumberedInTheirOrder() {
        assertThat(UpgradeProvider.values()).extracting(UpgradeProvider::code).containsExactly(0, 1, 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"version=*", "spec=sha256:*", "version=v1.3?.*"})
    void patternMayBeginWithAnyKindOfTarget(String pattern) {
        assertThat(UpgradeTarget.problemOfPattern(pattern)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "", "versions=*", "v=1", "=v1.36.3"})
    void patternMustBeginWithKindOfTarget(String pattern) {
        assertThat(UpgradeTarget.problemOfPattern(pattern)).contains("channel=", "version=", "spec=");
    }

    @ParameterizedTest
    @CsvSource({
        "version=v1.36.3, v1.36.3, true",
        "version=v1.36.3, 1.36.3, true",
        "version=v1.36.3, 1.36.4, false",
        "version=v1.36.3, 1.36.3+k3s1, false",
        "channel=1.36-classic/stable, 1.36.4, true",
        "channel=1.36-classic/stable, 1.35.4, false"
    })
    void expectedVersionMustBeTheTargets(String target, String expected, boolean allowed) {
        CampaignSpec spec = new CampaignSpecBuilder(UpgradeTarget.parse(target), MachineSelection.EVERYTHING)
                .expectedVersion(expected)
                .build();
        assertThat(ChannelTrackVersion.describeContradiction(spec) == null).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({"version=v1.36.3, 1.36", "version=v1.36.0-rc.1, 1.36", "channel=1.33-classic/stable, 1.33"})
    void targetNamesMinorVersion(String target, String minor) {
        assertThat(ChannelTrackVersion.minorVersionOf(UpgradeTarget.parse(target)))
                .isEqualTo(minor);
    }

    @ParameterizedTest
    @CsvSource({"40, 40, 1000, 40", "5%, 5%, 1000, 50", "5%, 5%, 10, 1", "100%, 100%, 7, 7", "007, 7, 9, 7"})
    void countOrPercentIsRoundedDownAndAtLeastOne(String text, String written, int machines, int of) {
        CountOrPercent limit = CountOrPercent.parse(text);
        assertThat(limit).isNotNull().hasToString(written);
        assertThat(limit.of(machines)).isEqualTo(of);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "0", "0%", "101%", "-1", "5.5%", "5 %", "999999999", "five"})
    void rejectsInvalidCountOrPercent(String text) {
        assertThat(CountOrPercent.parse(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "-a", "a-", "a.b", "a_b", "fleet", "site", "policy", "zone", "ä"})
    void rejectsInvalidSiteName(String name) {
        assertThat(NameValidator.problemOfOwnName(name)).isNotBlank();
    }
}
