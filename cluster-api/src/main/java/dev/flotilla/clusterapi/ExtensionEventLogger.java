package dev.flotilla.clusterapi;

import dev.flotilla.clusterapi.coverage.CoverageAnswer;
import dev.flotilla.clusterapi.hook.Hook;
import dev.flotilla.clusterapi.hook.HookListener;
import dev.flotilla.clusterapi.hook.HookOutcome;
import dev.flotilla.clusterapi.report.UncoveredChangeReporter;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.runtime.log.LogKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what the hooks are answered, counts it, and passes on what people must see. It never logs a value of a spec. */
final class ExtensionEventLogger implements HookListener {
    private static final Logger LOG = LoggerFactory.getLogger(ExtensionEventLogger.class);
    private static final int MAX_SUBJECTS = 10_000;

    private final ExtensionMetrics metrics;
    private final UncoveredChangeReporter reporter;

    /** The last answer of each hook and subject, so that an answer that is repeated is logged once. */
    private final Map<String, String> last = new ConcurrentHashMap<>();

    /** What the last check for other extensions found. */
    private volatile List<String> conflicts = List.of();

    ExtensionEventLogger(ExtensionMetrics metrics, UncoveredChangeReporter reporter) {
        this.metrics = metrics;
        this.reporter = reporter;
    }

    @Override
    public void answered(Hook hook, HookOutcome outcome, String subject, String message, Duration took) {
        metrics.countAnswer(hook, outcome, took);
        if (last.size() >= MAX_SUBJECTS) {
            last.clear();
        }
        String answer = outcome.label() + " " + message;
        if (!answer.equals(last.put(hook.hookName() + " " + subject, answer))) {
            LOG.atInfo()
                    .addKeyValue(LogKey.KIND.label(), hook.hookName())
                    .addKeyValue(LogKey.OBJECT.label(), subject)
                    .addKeyValue(LogKey.REASON.label(), outcome.label())
                    .addKeyValue(LogKey.DETAIL.label(), message)
                    .log("hook answered");
        }
    }

    @Override
    public void judged(Hook hook, KubeObject request, CoverageAnswer answer) {
        reporter.judged(hook, request, answer);
    }

    void tasksAborted(List<String> tasks) {
        metrics.countAborted(tasks.size());
        tasks.forEach(task -> LOG.atInfo()
                .addKeyValue(LogKey.OBJECT.label(), task)
                .log("upgrade task aborted because its machine is not updated in place any more"));
    }

    /** Logs what a check of the registered extensions found, when that changes. */
    void conflictsFound(List<String> found) {
        if (!found.equals(conflicts)) {
            conflicts = found;
            found.forEach(each ->
                    LOG.atWarn().addKeyValue(LogKey.REASON.label(), each).log("registered extensions checked"));
        }
    }

    void reportsFailed(List<String> problems) {
        problems.forEach(problem -> {
            metrics.countFailedReport();
            LOG.atWarn().addKeyValue(LogKey.REASON.label(), problem).log("event or condition not written");
        });
    }

    /** Logs a bug that has ended a pass over tasks, changes or extensions. The next pass begins all the same. */
    void passFailed(Throwable bug) {
        LOG.atError().setCause(bug).log("pass ended by a bug");
    }
}
