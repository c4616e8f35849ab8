package dev.stowage.service.agent;

import dev.stowage.service.client.Reasons;
import dev.stowage.service.client.StowageClient;
import dev.stowage.service.v1.AttemptRequest;
import dev.stowage.service.v1.HeartbeatReply;
import dev.stowage.service.v1.HeartbeatRequest;
import dev.stowage.service.v1.ListReply;
import dev.stowage.service.v1.ListRequest;
import dev.stowage.service.v1.Phase;
import dev.stowage.service.v1.ReportReply;
import dev.stowage.service.v1.ReportRequest;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.State;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An agent of one server: runs a local process for each request that a service places there, and reports what happens
 * to it. It regularly asks what should run, so a missed event does not matter for long.
 *
 * <p>It works under a lease: an answered heartbeat extends the lease from the moment it was <em>sent</em>, by the
 * machine's own clock. When the lease runs out all processes end, whether the agent is alive or not ({@link Runners}),
 * and the service waits longer, by the grace time, until it places them elsewhere. Then the agent starts again with a
 * higher incarnation, as after each of its starts, and reports what runs.
 */
public final class Agent {
    /** Number of renewals within one lease. */
    private static final int RENEWALS = 4;

    private static final long STEP_MILLIS = 100;
    private static final long ANSWER_MILLIS = 1000;
    private static final int PAGE = 1000;
    /** Hundredths of a second that one heartbeat may take. */
    private static final long MOST_WAIT = 300;

    private static final String LEASE_EXPIRED = "ended, as the lease has expired";

    /** A heartbeat under way. */
    private record Beat(long sent, CompletableFuture<HeartbeatReply> reply) {}

    private final StowageClient client;
    private final AgentSettings settings;
    private final Consumer<String> log;
    private final Runners runners;
    private final Path incarnationFile;
    /** Those whose runner was launched and has not been seen yet. */
    private final Set<Stay> launched = new HashSet<>();

    private long incarnation;
    private long leaseEnd;
    private long nextBeat;
    private @Nullable Beat beat;
    private boolean leased;
    private boolean mustReport;

    private Agent(StowageClient client, AgentSettings settings, Consumer<String> log) throws IOException {
        this.client = client;
        this.settings = settings;
        this.log = log;
        runners = new Runners(settings.directory(), settings.command());
        incarnationFile = settings.directory().resolve("incarnation");
        leaseEnd = runners.leaseEnd();
        incarnation = Files.exists(incarnationFile)
                ? Long.parseLong(Files.readString(incarnationFile).strip())
                : 0;
    }

    /**
     * Works until it is interrupted.
     *
     * @param log receives what it does, a line each
     * @throws IOException if its directory cannot be read or written, belongs to another process, or the server has a
     *     newer agent
     */
    public static void run(StowageClient client, AgentSettings settings, Consumer<String> log)
            throws IOException, InterruptedException {
        Files.createDirectories(settings.directory());
        try (FileChannel channel = FileChannel.open(
                        settings.directory().resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                throw new IOException("another process is the agent of " + settings.directory());
            }
            Agent agent = new Agent(client, settings, log);
            agent.begin();
            while (true) {
                agent.step();
                Thread.sleep(STEP_MILLIS);
            }
        }
    }

    /** Runs that were begun before this start and are not seen running must not start any more. */
    private void begin() throws IOException {
        for (Stay stay : runners.begun()) {
            if (!runners.runs(stay)) {
                runners.stop(stay);
            }
        }
        renew();
        log.accept("agent of server " + settings.server() + ", incarnation " + incarnation);
    }

    private void renew() throws IOException {
        incarnation++;
        Path next = incarnationFile.resolveSibling("incarnation.new");
        Files.writeString(
                next,
                incarnation + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.SYNC);
        Files.move(next, incarnationFile, StandardCopyOption.ATOMIC_MOVE);
        leased = false;
        mustReport = false;
        beat = null;
        nextBeat = 0;
    }

    private void step() throws IOException, InterruptedException {
        if (fenced()) {
            return;
        }
        heartbeat();
        if (!leased) {
            return;
        }
        try {
            if (mustReport) {
                report();
            } else {
                reconcile();
            }
        } catch (TimeoutException e) {
            // No answer came in time; the next step asks again.
        } catch (ExecutionException e) {
            log.accept("not answered: " + said(e));
        }
    }

    /** If the lease has run out, waits until everything has ended, and then begins the next incarnation. */
    private boolean fenced() throws IOException {
        boolean over = leaseEnd != 0 && Uptime.now() >= leaseEnd;
        List<Stay> stays = runners.begun();
        for (Stay stay : stays) {
            over |= !runners.runs(stay) && runners.end(stay).equals("fenced");
        }
        if (!over) {
            return false;
        }
        boolean any = false;
        for (Stay stay : stays) {
            runners.stop(stay);
            if (runners.runs(stay)) {
                any = true;
            } else if (runners.lost(stay)) {
                say(stay, LEASE_EXPIRED);
            }
        }
        if (!any) {
            log.accept("the lease has expired: no process may run until there is a new one");
            leaseEnd = 0;
            runners.lease(0);
            renew();
        }
        return true;
    }

    private void heartbeat() throws IOException, InterruptedException {
        long now = Uptime.now();
        Beat under = beat;
        if (under == null && now >= nextBeat) {
            HeartbeatRequest.Builder request =
                    HeartbeatRequest.newBuilder().setName(settings.server()).setIncarnation(incarnation);
            Duration lease = settings.lease();
            if (lease != null) {
                request.setLeaseNanos(lease.toNanos());
            }
            Duration grace = settings.grace();
            if (grace != null) {
                request.setGraceNanos(grace.toNanos());
            }
            beat = new Beat(now, client.heartbeat(request.build()));
        } else if (under != null && under.reply().isDone()) {
            beat = null;
            answered(under);
        } else if (under != null && now - under.sent() > MOST_WAIT) {
            // The call may hang at a node that was stopped, and its answer would soon be too old anyway.
            boolean unused = under.reply().cancel(true);
            beat = null;
        }
    }

    private void answered(Beat under) throws IOException, InterruptedException {
        HeartbeatReply reply;
        try {
            reply = under.reply().get();
        } catch (ExecutionException e) {
            String reason = Reasons.reason(cause(e));
            nextBeat = Uptime.now() + Uptime.of(TimeUnit.MILLISECONDS.toNanos(ANSWER_MILLIS));
            if (reason.equals("LEASE") || reason.equals("UNKNOWN_SERVER")) {
                throw new IOException("server " + settings.server() + ": " + said(e), e);
            }
            log.accept("heartbeat not answered: " + reason);
            return;
        }
        long lease = Uptime.of(reply.getLeaseNanos());
        long until = under.sent() + lease;
        nextBeat = under.sent() + lease / RENEWALS;
        // Processes of an earlier lease that has run out meanwhile must end before there is a new one.
        if (Uptime.now() >= (leaseEnd == 0 ? until : Math.min(leaseEnd, until))) {
            return;
        }
        leaseEnd = until;
        runners.lease(until);
        leased = true;
        mustReport = reply.getStatus().equals("returning");
    }

    private static Throwable cause(ExecutionException thrown) {
        Throwable cause = thrown.getCause();
        return cause == null ? thrown : cause;
    }

    private static String said(ExecutionException thrown) {
        return String.valueOf(cause(thrown).getMessage());
    }

    private <T> T answer(CompletableFuture<T> call) throws ExecutionException, InterruptedException, TimeoutException {
        return call.get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void report() throws IOException, ExecutionException, InterruptedException, TimeoutException {
        ReportRequest.Builder report =
                ReportRequest.newBuilder().setName(settings.server()).setIncarnation(incarnation);
        for (Stay stay : runners.begun()) {
            if (runners.runs(stay)) {
                report.addRunning(stay.message());
            }
        }
        ReportReply reply = answer(client.report(report.build()));
        for (AttemptRequest stray : reply.getStraysList()) {
            runners.stop(new Stay(stray.getTenant(), stray.getRequestId(), stray.getAttempt()));
        }
        mustReport = false;
        log.accept("reported " + report.getRunningCount() + " running requests; the server is " + reply.getStatus());
    }

    /** Starts, stops and reports processes according to the service's state at one moment under this lease. */
    private void reconcile() throws IOException, ExecutionException, InterruptedException, TimeoutException {
        long latest = leaseEnd;
        Map<Stay, Request> wanted = wanted();
        if (Uptime.now() >= latest) {
            return;
        }
        Map<Stay, Boolean> here = new HashMap<>();
        for (Stay stay : runners.begun()) {
            boolean runs = runners.runs(stay);
            here.put(stay, runs);
            if (runs && launched.remove(stay)) {
                say(stay, "started, as the service placed it here");
            }
            if (!wanted.containsKey(stay)) {
                endUnwanted(stay);
            }
        }
        for (Map.Entry<Stay, Request> one : wanted.entrySet()) {
            Stay stay = one.getKey();
            Phase phase = one.getValue().getPhase();
            Boolean runs = here.get(stay);
            if (phase == Phase.STOPPING) {
                stop(stay, runs);
            } else if (runs == null && phase == Phase.PLACED && isFree(stay, here)) {
                start(stay, latest);
            } else if (Boolean.TRUE.equals(runs) && phase == Phase.PLACED) {
                tell(client.started(stay.message()));
            } else if (Boolean.FALSE.equals(runs)) {
                ended(stay, phase);
            } else if (runs == null && phase == Phase.STARTED) {
                missing(stay);
            }
        }
    }

    private void endUnwanted(Stay stay) throws IOException {
        runners.stop(stay);
        if (runners.isOver(stay)) {
            forget(stay, "ended, as the service no longer counts it here (released, or placed elsewhere)");
        }
    }

    private void say(Stay stay, String what) {
        log.accept(stay + ": " + what);
    }

    /** Its end is known to the service; it is said, unless it was before. */
    private void forget(Stay stay, String why) throws IOException {
        boolean unseen = launched.remove(stay);
        String end = runners.end(stay);
        if (!end.equals("lost")) {
            say(
                    stay,
                    switch (end) {
                        case "ended" -> unseen ? "started, and ended by itself" : "ended by itself";
                        case "fenced" -> LEASE_EXPIRED;
                        case "late" -> "did not start: too late, or no longer wanted";
                        default -> why;
                    });
        }
        runners.forget(stay);
    }

    /** Whether no earlier stay of the same request is left here. */
    private static boolean isFree(Stay stay, Map<Stay, Boolean> here) {
        return here.keySet().stream()
                .noneMatch(
                        other -> other.id().equals(stay.id()) && other.tenant().equals(stay.tenant()));
    }

    private void start(Stay stay, long latest) throws IOException, ExecutionException, InterruptedException {
        try {
            runners.begin(stay, latest);
            launched.add(stay);
        } catch (IOException e) {
            say(stay, "cannot be started: " + e.getMessage());
            runners.stop(stay);
            tell(client.startFailed(stay.message()));
        }
    }

    private void stop(Stay stay, @Nullable Boolean runs) throws IOException, ExecutionException, InterruptedException {
        if (runs != null && !runners.isOver(stay)) {
            runners.stop(stay);
        } else if (tell(client.stopped(stay.message())) && runs != null) {
            forget(stay, "ended, as the service wants it stopped");
        }
    }

    /**
     * An attempt never begins twice: one whose end the service does not know counts as begun here until the service has
     * been told.
     */
    private void ended(Stay stay, Phase phase) throws IOException, ExecutionException, InterruptedException {
        if (!runners.isOver(stay)) {
            return;
        }
        if (runners.end(stay).equals("ended")) {
            if (tell(client.stopped(stay.message()))) {
                forget(stay, "");
            }
        } else if (phase == Phase.STARTED) {
            missing(stay);
        } else if (tell(client.startFailed(stay.message()))) {
            say(stay, "was not started in time; the service places it again");
            launched.remove(stay);
            runners.forget(stay);
        }
    }

    /** The service believes that it is started, but it has ended: the next report will omit it. */
    private void missing(Stay stay) throws IOException {
        say(stay, "has ended, but the service treats it as running");
        renew();
    }

    private boolean tell(CompletableFuture<Request> call) throws ExecutionException, InterruptedException {
        try {
            Request unused = answer(call);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            String reason = Reasons.reason(cause(e));
            log.accept("not reported: " + said(e));
            return reason.equals("NOT_FOUND") || reason.equals("UNKNOWN_ID");
        }
    }

    /** What should be on this server, as of one moment. */
    private Map<Stay, Request> wanted() throws ExecutionException, InterruptedException, TimeoutException {
        List<Request> all = new ArrayList<>();
        ListRequest.Builder page = ListRequest.newBuilder()
                .setAllTenants(true)
                .setServerName(settings.server())
                .setState(State.RUNNING)
                .setPageSize(PAGE);
        do {
            ListReply reply = answer(client.list(page.build()));
            all.addAll(reply.getRequestsList());
            page.setPageToken(reply.getNextPageToken());
        } while (!page.getPageToken().isEmpty());
        Map<Stay, Request> wanted = new LinkedHashMap<>();
        for (Request request : all) {
            if (request.getAgent()) {
                wanted.put(Stay.of(request), request);
            }
        }
        return wanted;
    }
}
