package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.world.SeededRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Random waves that take a share of the clusters, soak, and need an approval before the next one begins. */
final class RandomPercentWaves {
    private static final int MAX_SOAK_MINUTES = 25;

    private RandomPercentWaves() {}

    /** Adds such waves to a list of waves at random. */
    static List<Wave> addPercentWaves(SeededRandom chance, List<Wave> waves) {
        List<Wave> all = new ArrayList<>();
        if (chance.percent(20)) {
            all.add(withSoakAndSize(
                    chance, new Wave("first", List.of(), LabelSelector.ALL, false, 100), share(chance)));
        }
        for (Wave wave : waves.subList(0, waves.size() - 1)) {
            all.add(withSoakAndSize(chance, wave, chance.percent(20) ? share(chance) : null));
        }
        if (chance.percent(10)) {
            all.add(withSoakAndSize(
                    chance, new Wave("second", List.of(), LabelSelector.ALL, false, 80), share(chance)));
        }
        all.add(withSoakAndSize(chance, waves.get(waves.size() - 1), null));
        return all;
    }

    /** The same waves with an approval after the first one, which takes about half of the clusters if it was the only one. */
    static List<Wave> withApprovalAfterFirst(List<Wave> waves) {
        List<Wave> all = new ArrayList<>(waves);
        if (all.size() == 1) {
            CountOrPercent half = new CountOrPercent.Percent(50);
            all.add(0, new Wave("half", List.of(), LabelSelector.ALL, half, Wave.WaveApproval.NONE, 50, Duration.ZERO));
        }
        Wave first = all.get(0);
        Wave approved = new Wave(
                first.name(),
                first.sites(),
                first.clusters(),
                first.size(),
                Wave.WaveApproval.AFTER,
                first.successPercent(),
                first.soak());
        all.set(0, approved);
        return all;
    }

    private static CountOrPercent share(SeededRandom chance) {
        return chance.percent(50)
                ? new CountOrPercent.Percent(chance.between(1, 50))
                : new CountOrPercent.Count(chance.between(1, 12));
    }

    private static Wave withSoakAndSize(SeededRandom chance, Wave wave, @Nullable CountOrPercent takes) {
        boolean after = chance.percent(15);
        Duration soak = chance.percent(25) ? Duration.ofMinutes(chance.between(1, MAX_SOAK_MINUTES)) : Duration.ZERO;
        return new Wave(
                wave.name(),
                wave.sites(),
                wave.clusters(),
                takes,
                after ? Wave.WaveApproval.AFTER : wave.approval(),
                wave.successPercent(),
                soak);
    }
}
