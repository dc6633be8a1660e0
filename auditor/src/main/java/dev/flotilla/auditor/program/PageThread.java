package dev.flotilla.auditor.program;

/** A thread that answers a request. */
final class PageThread extends Thread {
    PageThread(Runnable task) {
        super(task, "page");
        setDaemon(true);
    }
}
