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
final class MutantTester {
    /** The question whether anything is noticed without a mutant. */
    static final String UNCHANGED = "none";

    /** Processor time for a mutant: on a crowded machine the clock on the wall says nothing about it. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Duration LOOK = Duration.ofMillis(200);

    private final ClassloaderByteArraySource classes = ClassloaderByteArraySource.fromContext();
    private final Mutater mutater =
            new GregorEngineFactory().createEngine(EngineArguments.arguments()).createMutator(classes);
    private final MutantSimulation mutantSimulation;
    private volatile long limit = Long.MAX_VALUE;

    private MutantTester(MutantSimulation mutantSimulation) {
        this.mutantSimulation = mutantSimulation;
    }

    /** Arguments: PIT's report, how many seeds. */
    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        PrintStream answers = System.out;
        System.setOut(System.err);
        List<Mutant> mutants = Mutant.unnoticed(Path.of(args[0]));
        MutantTester mutantTester = new MutantTester(new MutantSimulation(Long.parseLong(args[1])));
        mutantTester.watch(Thread.currentThread());
        BufferedReader numbers = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String number = numbers.readLine(); number != null; number = numbers.readLine()) {
            MutantTestResult mutantTestResult = number.equals(UNCHANGED)
                    ? mutantTester.mutantSimulation.firstBreach()
                    : mutantTester.judge(mutants.get(Integer.parseInt(number)));
            answers.println(mutantTestResult.line());
            answers.flush();
        }
        System.exit(0);
    }

    private MutantTestResult judge(Mutant mutant) throws ReflectiveOperationException {
        Class<?> type = Class.forName(mutant.type());
        byte[] original = classes.getBytes(mutant.type()).orElseThrow();
        ClassRedefinitionAgent.redefine(type, mutater.getMutation(mutant.id()).getBytes());
        limit = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() + LIMIT.toNanos();
        try {
            return mutantSimulation.firstBreach();
        } finally {
            limit = Long.MAX_VALUE;
            ClassRedefinitionAgent.redefine(type, original);
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
                                    Runtime.getRuntime().halt(MutantTestResult.ENDLESS);
                                }
                            }
                        },
                        LOOK.toMillis(),
                        LOOK.toMillis());
    }
}
