package dev.flotilla.nodeworker.checks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "169.254.1.1",
                "fe80::1",
                "fd00:ec2::254",
                "::ffff:169.254.169.254",
                "0.0.0.0",
                "::",
                "224.0.0.1",
                "ff02::1",
                "metadata.google.internal",
                "localhost",
                "a.b",
                "10.0.0.1:80",
                "",
                "10.0.0.1 ",
                "999.1.1.1"
            })
    void noNodeIsThere(String address) {
        assertThat(Addresses.problemOfNode(address)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "192.168.7.20", "203.0.113.9", "fd12:3456::1", "2001:db8::7"})
    void aNodeMayBeThere(String address) {
        assertThat(Addresses.problemOfNode(address)).isNull();
    }
}
