package dev.flotilla.auditor;

import dev.flotilla.auditor.follow.AuditorKafkaSettings;
import dev.flotilla.auditor.program.AuditorOptions;
import dev.flotilla.auditor.program.AuditorProgram;
import dev.flotilla.auditor.program.HelpText;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;

/** Entry point of the auditor. */
public final class Main {
    static final int USAGE = 2;
    private static final String NAME = "auditor";
    private static final int ORDERLY = 10;

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(List.of(args), System.getenv(), System.out, System.err));
    }

    static int run(List<String> args, Map<String, String> environment, PrintStream out, PrintStream err) {
        if (args.contains("--help") || args.contains("-h")) {
            out.print(HelpText.TEXT);
            return AuditorProgram.HOLDS;
        }
        AuditorOptions.OptionsParser optionsParser =
                new AuditorOptions.OptionsParser(args.subList(isNamed(args) ? 1 : 0, args.size()), environment);
        List<String> problems = new ArrayList<>(optionsParser.problems());
        if (problems.isEmpty()) {
            optionsParser.logOptions().apply();
        }
        AuditorOptions auditorOptions = optionsParser.options();
        AuditorKafkaSettings settings = new AuditorKafkaSettings(auditorOptions.bootstrap(), auditorOptions.client());
        problems.addAll(settings.problems());
        if (!problems.isEmpty()) {
            problems.forEach(problem -> err.println("auditor: " + problem));
            return USAGE;
        }
        AuditorProgram auditorProgram;
        try {
            auditorProgram = new AuditorProgram(auditorOptions, settings, out, err);
        } catch (KafkaException e) {
            err.println("auditor: the client cannot be set up: " + rootOf(e).getMessage());
            return USAGE;
        }
        return untilTheEnd(auditorProgram);
    }

    /** The same arguments start it from its own image and from one of all processes, where the first names the process. */
    private static boolean isNamed(List<String> args) {
        return !args.isEmpty() && args.getFirst().equals(NAME);
    }

    /** A termination signal ends the run in order; the process waits for it. */
    private static int untilTheEnd(AuditorProgram auditorProgram) {
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook = new Thread(() -> {
            auditorProgram.stop();
            try {
                if (!ended.await(ORDERLY, TimeUnit.SECONDS)) {
                    System.err.println("auditor: did not end in time");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return auditorProgram.runUntilEnd();
        } finally {
            ended.countDown();
        }
    }

    private static Throwable rootOf(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
