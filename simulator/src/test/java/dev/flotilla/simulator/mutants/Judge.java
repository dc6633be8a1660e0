package dev.flotilla.simulator.mutants;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import org.pitest.classpath.ClassloaderByteArraySource;
import org.pitest.mutationtest.EngineArguments;
import org.pitest.mutationtest.engine.Mutater;
import org.pitest.mutationtest.engine.gregor.config.GregorEngineFactory;

/** A JVM that judges mutants: reads the number of one, answers with a verdict, reads the next. */
final class Judge {
    /** The question whether anything is noticed without a mutant. */
    static final String UNCHANGED = "none";

    /** Processor time for a mutant: on a crowded machine the clock on the wall says nothing about it. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Duration LOOK = Duration.ofMillis(200);

    private final ClassloaderByteArraySource classes = ClassloaderByteArraySource.fromContext();
    private final Mutater mutater =
            new GregorEngineFactory().createEngine(EngineArguments.arguments()).createMutator(classes);
    private final Worlds worlds;
    private volatile long limit = Long.MAX_VALUE;

    private Judge(Worlds worlds) {
        this.worlds = worlds;
    }

    /** Arguments: PIT's report, how many seeds. */
    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        PrintStream answers = System.out;
        System.setOut(System.err);
        List<Mutant> mutants = Mutant.unnoticed(Path.of(args[0]));
        Judge judge = new Judge(new Worlds(Long.parseLong(args[1])));
        judge.watch(Thread.currentThread());
        BufferedReader numbers = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String number = numbers.readLine(); number != null; number = numbers.readLine()) {
            Verdict verdict = number.equals(UNCHANGED)
                    ? judge.worlds.firstBreach()
                    : judge.judge(mutants.get(Integer.parseInt(number)));
            answers.println(verdict.line());
            answers.flush();
        }
        System.exit(0);
    }

    private Verdict judge(Mutant mutant) throws ReflectiveOperationException {
        Class<?> type = Class.forName(mutant.type());
        byte[] original = classes.getBytes(mutant.type()).orElseThrow();
        Redefinition.redefine(type, mutater.getMutation(mutant.id()).getBytes());
        limit = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() + LIMIT.toNanos();
        try {
            return worlds.firstBreach();
        } finally {
            limit = Long.MAX_VALUE;
            Redefinition.redefine(type, original);
        }
    }

    /** Ends the JVM where the thread that judges takes too long: a thread cannot be stopped. */
    private void watch(Thread judging) {
        new Timer(true)
                .schedule(
                        new TimerTask() {
                            @Override
                            public void run() {
                                if (ManagementFactory.getThreadMXBean().getThreadCpuTime(judging.threadId()) > limit) {
                                    Runtime.getRuntime().halt(Verdict.ENDLESS);
                                }
                            }
                        },
                        LOOK.toMillis(),
                        LOOK.toMillis());
    }
}
