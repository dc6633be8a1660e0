package dev.flotilla.schemas.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.NameValidator;
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
                "localPath=/srv/a b/k8s.snap"
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
                "localPath=/a\nb"
            })
    void rejectsInvalidTarget(String text) {
        assertThat(UpgradeTarget.problemOf(text)).isNotBlank();
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
