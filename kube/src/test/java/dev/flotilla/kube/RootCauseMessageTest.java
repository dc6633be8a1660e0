package dev.flotilla.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

class RootCauseMessageTest {
    @Test
    void isTheMessageOfTheRootCause() {
        assertThat(RootCauseMessage.describe(new IOException("outer", new IOException("inner"))))
                .isEqualTo("inner");
    }

    @Test
    void saysThatAConnectionIsRefused() {
        assertThat(RootCauseMessage.describe(new IOException(refused()))).startsWith("no connection: nothing listens");
    }

    @Test
    void isTheNameOfAnExceptionWithoutAMessage() {
        assertThat(RootCauseMessage.describe(new ClosedChannelException())).isEqualTo("ClosedChannelException");
    }

    private static ConnectException refused() {
        ConnectException refused = new ConnectException();
        refused.initCause(new ClosedChannelException());
        return refused;
    }
}
