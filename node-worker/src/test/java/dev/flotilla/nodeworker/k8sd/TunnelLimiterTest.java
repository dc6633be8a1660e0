package dev.flotilla.nodeworker.k8sd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TunnelLimiterTest {
    private final TunnelLimiter tunnelLimiter = new TunnelLimiter(2);

    private static final class Hole implements TunnelLimiter.LimitedTunnel {
        private boolean idle = true;
        private boolean hungUp;

        @Override
        public boolean isIdle() {
            return idle;
        }

        @Override
        public void closeTunnel() {
            hungUp = true;
        }
    }

    private Hole entered() {
        Hole hole = new Hole();
        assertThat(tunnelLimiter.openTunnel(hole)).isTrue();
        return hole;
    }

    @Test
    void theOneThatWasAskedLeastLatelyMakesRoom() {
        Hole first = entered();
        Hole second = entered();
        assertThat(tunnelLimiter.openTunnel(first)).isTrue();
        entered();
        assertThat(second.hungUp).isTrue();
        assertThat(first.hungUp).isFalse();
        assertThat(tunnelLimiter.size()).isEqualTo(2);
    }

    @Test
    void oneThatIsBeingAskedIsNotClosed() {
        Hole first = entered();
        Hole second = entered();
        first.idle = false;
        entered();
        assertThat(first.hungUp).isFalse();
        assertThat(second.hungUp).isTrue();
    }

    @Test
    void whereAllAreBeingAskedNoMoreAreOpened() {
        entered().idle = false;
        Hole second = entered();
        second.idle = false;
        assertThat(tunnelLimiter.openTunnel(new Hole())).isFalse();
        assertThat(tunnelLimiter.limitMessage()).contains("2").contains("kubernetes.tunnels");
        tunnelLimiter.removeTunnel(second);
        entered();
    }
}
