package dev.flotilla.cli.demo;

import java.util.List;

/**
 * Progress of the demonstration at one instant.
 *
 * @param inFlight machines with an open attempt
 * @param cap largest number of machines in flight
 */
record DemoProgress(List<DemoWaveProgress> waves, int inFlight, int cap) {
    DemoProgress {
        waves = List.copyOf(waves);
    }
}
