package dev.flotilla.simulator.run;

/** A machine that still waits when nothing is wrong any more and nobody is waited for. */
public record StuckMachine(long seed, String machine, String gate) {}
