package dev.stowage.cli.log;

import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The log of a service, on standard error: lines of JSON. Libraries log warnings, and repeated ones only from time to
 * time.
 */
public final class ServiceLog {
    /** Referenced here, because the JDK loses the level of a logger that is garbage-collected. */
    private static final Logger OWN = Logger.getLogger("dev.stowage");

    /** Of two nodes that join at once one is refused, and asks again: it gets that as an answer, and logs it. */
    private static final Logger CHANGES = Logger.getLogger("org.apache.ratis.grpc.server.GrpcAdminProtocolService");

    private static final Logger RATIS = Logger.getLogger("org.apache.ratis");

    private static final Logger ROOT = Logger.getLogger("");

    private ServiceLog() {}

    /** For commands that call a service: the libraries are silent. */
    public static void quiet() {
        ROOT.setLevel(Level.SEVERE);
    }

    /** For a service; with every call, or only changes and failures. */
    public static void start(boolean calls) {
        for (Handler one : ROOT.getHandlers()) {
            ROOT.removeHandler(one);
        }
        Handler handler = new ConsoleHandler();
        handler.setLevel(Level.ALL);
        handler.setFormatter(new JsonLines());
        handler.setFilter(new RepeatedWarnings(System::nanoTime));
        ROOT.setLevel(Level.WARNING);
        ROOT.addHandler(handler);
        OWN.setLevel(calls ? Level.FINE : Level.INFO);
        CHANGES.setLevel(Level.SEVERE);
    }

    /** From now on the service ends, as somebody wanted: what it breaks off is nothing to warn of. */
    public static void ending() {
        RATIS.setLevel(Level.SEVERE);
    }
}
