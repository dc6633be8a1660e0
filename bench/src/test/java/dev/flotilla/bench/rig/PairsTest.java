package dev.flotilla.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.flotilla.bench.Figure;
import dev.flotilla.bench.Figure.Better;
import dev.flotilla.bench.Figures;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PairsTest {
    @Test
    void playsBothInTurnAndThrowsTheFirstPairAway() throws InterruptedException {
        List<String> played = new ArrayList<>();
        Pairs pairs = Pairs.play(2, () -> run(played, "A", 1), () -> run(played, "B", 2));
        assertThat(played).containsExactly("A", "B", "A", "B", "A", "B");
        assertThat(pairs.ratios()).containsExactly(3.0 / 4, 5.0 / 6);
        assertThat(pairs.ours()).isEqualTo(4);
        assertThat(pairs.theirs()).isEqualTo(5);
    }

    @Test
    void addsTheMedianOfTheRatios() {
        Figures figures = new Figures();
        new Pairs(new double[] {7, 8, 9}, new double[] {10, 10, 10})
                .add(figures, "P4", "name", "detail", Better.HIGHER, 0.4, 0.7);
        Figure figure = figures.rows().getFirst();
        assertThat(figure.value()).isCloseTo(0.8, within(1e-9));
        assertThat(figure.gates()).isFalse();
        assertThat(figures.invalid()).isEmpty();
    }

    @Test
    void isInvalidWhereThePlainClientIsUnsteady() {
        Figures figures = new Figures();
        new Pairs(new double[] {8, 8, 8}, new double[] {8, 10, 11})
                .add(figures, "P4", "name", "detail", Better.HIGHER, 0.4, 0.7);
        assertThat(figures.invalid()).extracting(Figures.Invalid::id).containsExactly("P4");
    }

    private static double run(List<String> played, String name, int first) {
        played.add(name);
        return played.size() + first - 1 - (name.equals("B") ? 1 : 0);
    }
}
