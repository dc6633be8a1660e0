package dev.flotilla.core.fleet.column;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Uids are stored as two numbers if possible: any uid is restored exactly. */
class UidColumnTest {
    private static final String UUID = "0123abcd-4567-4e89-8abc-def012345678";

    private final UidColumn uids = new UidColumn();

    @ParameterizedTest
    @ValueSource(
            strings = {
                UUID,
                "ffffffff-ffff-4fff-ffff-ffffffffffff",
                "00000000-0000-4000-0000-000000000000",
                "0123abcd-4567-0e89-8abc-def012345678",
                "0123ABCD-4567-4e89-8abc-def012345678",
                "0123abc/-4567-4e89-8abc-def012345678",
                "0123abc:-4567-4e89-8abc-def012345678",
                "0123abc`-4567-4e89-8abc-def012345678",
                "0123abcg-4567-4e89-8abc-def012345678",
                "0123abcd04567-4e89-8abc-def012345678",
                "0123abcd-456704e89-8abc-def012345678",
                "0123abcd-4567-4e8908abc-def012345678",
                "0123abcd-4567-4e89-8abc0def012345678",
                "0123abc--4567-4e89-8abc-def012345678",
                "0123abcd-4567-4e89-8abc-def01234567-",
                "0123abcd-4567-4e89-8abc-def0123456789",
                "node-7",
                ""
            })
    void restoresAnyUid(String uid) {
        uids.set(3, uid);
        assertThat(uids.get(3)).isEqualTo(uid);
        assertThat(uids.matches(3, uid)).isTrue();
        assertThat(uids.matches(3, uid + "x")).isFalse();
        assertThat(uids.matches(3, "9123abcd-4567-4e89-8abc-def012345678")).isFalse();
        assertThat(uids.matches(3, "0123abcd-4567-4e89-8abc-def012345679")).isFalse();
    }

    @Test
    void replacesUidsOfAnyForm() {
        uids.set(0, UUID);
        uids.set(0, "node-7");
        assertThat(uids.get(0)).isEqualTo("node-7");
        assertThat(uids.matches(0, UUID)).isFalse();
        uids.set(0, UUID);
        assertThat(uids.get(0)).isEqualTo(UUID);
        assertThat(uids.matches(0, "node-7")).isFalse();
    }
}
