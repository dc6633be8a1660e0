package dev.flotilla.testkit.sites;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;

/**
 * Simulated sites as a process: {@code --bootstrap HOST:PORT [--sites 3] [--clusters 60] [--machines 600] [--fail-rate
 * 0.02] [--seed 1] [--speed 110] [--listen 127.0.0.1:0] [--folder DIR
 * [--kubernetes embedded|real]]}. With a folder there are no watchers and no workers: it gets what real ones need to reach the
 * machines, whose management clusters are embedded too, or real API servers. Prints {@code {"what":"sites","url":"http://…"}} when all of it
 * runs, and ends when its standard input does: nobody's sites outlive them.
 */
public final class SitesMain {
    private static final int WRONG_USE = 2;
    private static final int NOT_REACHABLE = 3;
    private static final int BUG = 70;

    private SitesMain() {}

    /** Runs until standard input ends. */
    public static void main(String[] args) throws IOException, InterruptedException {
        SitesMainArguments arguments = new SitesMainArguments(args);
        SitesSpec spec = arguments.spec();
        InetSocketAddress listen = arguments.listen();
        if (spec == null || listen == null || !arguments.problems().isEmpty()) {
            arguments.problems().forEach(System.err::println);
            System.exit(WRONG_USE);
            return;
        }
        RunningSites sites;
        try {
            Path folder = arguments.folder();
            sites = folder == null
                    ? SimulatedSites.start(arguments.bootstrap(), spec, listen)
                    : EmbeddedSites.start(spec, listen, folder, arguments.realManagement());
        } catch (RuntimeException e) {
            System.err.println("no sites at " + arguments.bootstrap() + ": " + e.getMessage());
            System.exit(NOT_REACHABLE);
            return;
        }
        Thread waiting = new Thread(() -> waitForTheEnd(sites), "end");
        waiting.setDaemon(true);
        waiting.start();
        System.out.println("{\"what\":\"sites\",\"url\":\"" + sites.uri() + "\"}");
        while (System.in.read() >= 0) {
            // Nothing is said to the sites; only the end counts.
        }
        System.exit(0);
    }

    private static void waitForTheEnd(RunningSites sites) {
        try {
            sites.ended().join();
        } catch (CompletionException e) {
            e.printStackTrace(System.err);
            System.exit(BUG);
        }
    }
}
