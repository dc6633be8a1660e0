package dev.flotilla.bench;

/** Entry point of {@code flotilla bench}. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.err.println("flotilla bench: not in this version");
        System.exit(2);
    }
}
