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

/** A JVM that tests mutants: reads the number of a mutant, prints the result, and reads the next number. */
final class MutantTester {
    /** The request to run without a mutant. */
    static final String UNCHANGED = "none";

    /** Processor time for a mutant; on a busy machine wall-clock time says nothing about it. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Duration CHECK_INTERVAL = Duration.ofMillis(200);

    private final ClassloaderByteArraySource classes = ClassloaderByteArraySource.fromContext();
    private final Mutater mutater =
            new GregorEngineFactory().createEngine(EngineArguments.arguments()).createMutator(classes);
    private final MutantSimulation mutantSimulation;
    private volatile long limit = Long.MAX_VALUE;

    private MutantTester(MutantSimulation mutantSimulation) {
        this.mutantSimulation = mutantSimulation;
    }

    /** Arguments: PIT's report, the number of seeds. */
    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        PrintStream answers = System.out;
        System.setOut(System.err);
        List<Mutant> mutants = Mutant.readUndetected(Path.of(args[0]));
        MutantTester mutantTester = new MutantTester(new MutantSimulation(Long.parseLong(args[1])));
        mutantTester.haltAfterLimit(Thread.currentThread());
        BufferedReader numbers = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String number = numbers.readLine(); number != null; number = numbers.readLine()) {
            MutantTestResult mutantTestResult = number.equals(UNCHANGED)
                    ? mutantTester.mutantSimulation.firstViolation()
                    : mutantTester.testMutant(mutants.get(Integer.parseInt(number)));
            answers.println(mutantTestResult.line());
            answers.flush();
        }
        System.exit(0);
    }

    private MutantTestResult testMutant(Mutant mutant) throws ReflectiveOperationException {
        Class<?> type = Class.forName(mutant.type());
        byte[] original = classes.getBytes(mutant.type()).orElseThrow();
        ClassRedefinitionAgent.redefine(type, mutater.getMutation(mutant.id()).getBytes());
        limit = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() + LIMIT.toNanos();
        try {
            return mutantSimulation.firstViolation();
        } finally {
            limit = Long.MAX_VALUE;
            ClassRedefinitionAgent.redefine(type, original);
        }
    }

    /** Ends the JVM if the testing thread takes too long, because a thread cannot be stopped. */
    private void haltAfterLimit(Thread tester) {
        new Timer(true)
                .schedule(
                        new TimerTask() {
                            @Override
                            public void run() {
                                if (ManagementFactory.getThreadMXBean().getThreadCpuTime(tester.threadId()) > limit) {
                                    Runtime.getRuntime().halt(MutantTestResult.ENDLESS);
                                }
                            }
                        },
                        CHECK_INTERVAL.toMillis(),
                        CHECK_INTERVAL.toMillis());
    }
}
