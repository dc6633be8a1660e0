package dev.flotilla.cli.demo;

import java.util.List;

/**
 * How far it is, at one look.
 *
 * @param inFlight machines with an open attempt
 * @param cap how many there may be
 */
record DemoProgress(List<DemoWaveProgress> waves, int inFlight, int cap) {
    DemoProgress {
        waves = List.copyOf(waves);
    }
}
