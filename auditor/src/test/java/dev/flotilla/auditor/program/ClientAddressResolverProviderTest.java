package dev.flotilla.auditor.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class ClientAddressResolverProviderTest {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    /** Every machine has a name for this address; others would be looked up in DNS. */
    @Test
    void threadsThatAnswerRequestsLookUpNoNameOfAClient() throws Exception {
        assertThat(nameOnPageThread()).isEqualTo("127.0.0.1");
        assertThat(nameOfLoopback()).isNotEqualTo("127.0.0.1");
    }

    private static String nameOnPageThread() throws Exception {
        FutureTask<String> lookup = new FutureTask<>(ClientAddressResolverProviderTest::nameOfLoopback);
        new PageThread(lookup).start();
        return lookup.get();
    }

    private static String nameOfLoopback() throws UnknownHostException {
        return InetAddress.getByAddress(LOOPBACK).getHostName();
    }
}
