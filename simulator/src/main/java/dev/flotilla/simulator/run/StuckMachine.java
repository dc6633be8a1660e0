package dev.flotilla.simulator.run;

/** A machine that still waits although all faults have ended and no operator is needed. */
public record StuckMachine(long seed, String machine, String gate) {}
