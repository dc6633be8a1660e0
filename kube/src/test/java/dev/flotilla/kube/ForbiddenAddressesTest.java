package dev.flotilla.kube;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForbiddenAddressesTest {

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
                "999.1.1.1",
                "127.0.0.1",
                "127.1",
                "127.0.0.1.",
                "2130706433",
                "0177.0.0.1",
                "::1",
                "::ffff:127.0.0.1",
                "10.1",
                "010.0.0.1"
            })
    void forbidsNodeAddress(String address) {
        assertThat(ForbiddenAddresses.problemOfNode(address, false)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "192.168.7.20", "203.0.113.9", "fd12:3456::1", "2001:db8::7"})
    void allowsNodeAddress(String address) {
        assertThat(ForbiddenAddresses.problemOfNode(address, false)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://127.0.0.1:6443",
                "https://127.1:6443",
                "https://localhost:6443",
                "https://[::1]:6443",
                "https://169.254.169.254",
                "https://[fe80::1]:6443",
                "https://0.0.0.0:6443",
                "https://",
                "https://a b"
            })
    void forbidsApiServerUrl(String url) {
        assertThat(ForbiddenAddresses.problemOfServer(url, false)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://10.0.0.9:6443",
                "https://192.168.7.20:16443/k8s/clusters/c-1",
                "https://[fd12::1]:6443",
                "https://no-such-host.invalid:6443"
            })
    void allowsApiServerUrl(String url) {
        assertThat(ForbiddenAddresses.problemOfServer(url, false)).isNull();
    }

    @Test
    void testBedAllowsLoopbackButNotLinkLocal() {
        assertThat(ForbiddenAddresses.isLoopback("https://127.0.0.1:6443")).isTrue();
        assertThat(ForbiddenAddresses.isLoopback("https://[::1]:6443/")).isTrue();
        assertThat(ForbiddenAddresses.isLoopback("https://kubernetes.default.svc"))
                .isFalse();
        assertThat(ForbiddenAddresses.isLoopback("https://10.0.0.1")).isFalse();
        assertThat(ForbiddenAddresses.problemOfServer("https://127.0.0.1:6443", true))
                .isNull();
        assertThat(ForbiddenAddresses.problemOfNode("127.0.0.1", true)).isNull();
        assertThat(ForbiddenAddresses.problemOfServer("https://169.254.169.254", true))
                .isNotNull();
    }
}
