package dev.flotilla.nodeworker.site;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TunnelsTest {
    private final Tunnels tunnels = new Tunnels(2);

    private static final class Hole implements Tunnels.Tunnel {
        private boolean idle = true;
        private boolean hungUp;

        @Override
        public boolean isIdle() {
            return idle;
        }

        @Override
        public void hangUp() {
            hungUp = true;
        }
    }

    private Hole entered() {
        Hole hole = new Hole();
        assertThat(tunnels.enter(hole)).isTrue();
        return hole;
    }

    @Test
    void theOneThatWasAskedLeastLatelyMakesRoom() {
        Hole first = entered();
        Hole second = entered();
        assertThat(tunnels.enter(first)).isTrue();
        entered();
        assertThat(second.hungUp).isTrue();
        assertThat(first.hungUp).isFalse();
        assertThat(tunnels.size()).isEqualTo(2);
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
        assertThat(tunnels.enter(new Hole())).isFalse();
        assertThat(tunnels.full()).contains("2").contains("kubernetes.tunnels");
        tunnels.leave(second);
        entered();
    }
}
