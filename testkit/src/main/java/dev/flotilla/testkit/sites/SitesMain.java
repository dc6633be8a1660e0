package dev.flotilla.testkit.sites;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;

/**
 * Simulated sites as a process: {@code --bootstrap HOST:PORT [--sites 3] [--clusters 60] [--machines 600]
 * [--fail-rate 0.02] [--seed 1] [--speed 110] [--listen 127.0.0.1:0] [--folder DIR [--kubernetes embedded|real] [--provider k8sd|node-upgrade|mixed]]}. With
 * a folder there are no watchers and workers: the folder receives what real ones need to reach the machines, whose
 * management clusters are embedded or real API servers. Prints {@code {"what":"sites","url":"http://…"}} when
 * everything runs, and ends when its standard input ends, so that it does not outlive its parent.
 */
public final class SitesMain {
    private static final int EXIT_WRONG_USAGE = 2;
    private static final int EXIT_UNREACHABLE = 3;
    private static final int EXIT_BUG = 70;

    private SitesMain() {}

    /** Runs until standard input ends. */
    public static void main(String[] args) throws IOException, InterruptedException {
        SitesMainArguments arguments = new SitesMainArguments(args);
        SitesSpec spec = arguments.spec();
        InetSocketAddress listen = arguments.listen();
        if (spec == null || listen == null || !arguments.problems().isEmpty()) {
            arguments.problems().forEach(System.err::println);
            System.exit(EXIT_WRONG_USAGE);
            return;
        }
        RunningSites sites;
        try {
            Path folder = arguments.folder();
            sites = folder == null
                    ? SimulatedSites.start(arguments.bootstrap(), spec, listen)
                    : EmbeddedSites.start(spec, listen, folder, arguments.realManagement());
        } catch (RuntimeException e) {
            System.err.println(
                    "cannot start sites with the broker at " + arguments.bootstrap() + ": " + e.getMessage());
            System.exit(EXIT_UNREACHABLE);
            return;
        }
        Thread waiting = new Thread(() -> exitOnFailure(sites), "end");
        waiting.setDaemon(true);
        waiting.start();
        System.out.println("{\"what\":\"sites\",\"url\":\"" + sites.uri() + "\"}");
        while (System.in.read() >= 0) {
            // Input is ignored; only its end matters.
        }
        System.exit(0);
    }

    private static void exitOnFailure(RunningSites sites) {
        try {
            sites.ended().join();
        } catch (CompletionException e) {
            e.printStackTrace(System.err);
            System.exit(EXIT_BUG);
        }
    }
}
