package dev.stowage.testkit;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Command.Kind;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.ServerStatus;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The auditor's part for gangs, agents of requests and of servers, evictions and moves. */
final class AgentAudit {
    static final String DRAINS = "its server is draining";
    private static final String ENDS = "it was told to end";

    private final Books books;
    private final Set<Integer> decidedGangs = new LinkedHashSet<>();
    private final Set<Long> strays = new LinkedHashSet<>();
    /** The gang that the present command takes out, or -1. */
    private int leavingGang = -1;

    AgentAudit(Books books) {
        this.books = books;
    }

    private static LawError broken(String what) {
        return new LawError(Law.AGENTS, what);
    }

    void begin(Command next) {
        strays.clear();
        Integer job = next.kind() == Command.Kind.LEAVE_TOGETHER ? books.handles.get(next.subject()) : null;
        leavingGang = job == null ? -1 : books.entry(job).gang;
    }

    /** Whether a request leaves because its gang does. */
    boolean leavesTogether(Books.Booking entry) {
        return leavingGang >= 0 && entry.gang == leavingGang;
    }

    /** A gang has left as a whole, or stays. */
    void checkLeft(boolean wasRefused) {
        if (leavingGang >= 0 && !wasRefused && books.gangs.containsKey(leavingGang)) {
            throw new LawError(
                    Law.GANGS, "of gang " + leavingGang + " jobs " + books.gangs.get(leavingGang) + " did not leave");
        }
    }

    /** A request comes into the system; {@code gang} is the number of its gang, or -1. */
    void arrived(int job, Command request, int gang) {
        Books.Booking entry = books.entry(job);
        entry.priority = request.priority();
        entry.expectedNanos = request.expectedNanos();
        entry.agent = request.agent();
        entry.phase(Phase.PLACED);
        entry.gang = gang;
        if (gang >= 0) {
            books.gangs.computeIfAbsent(gang, number -> new LinkedHashSet<>()).add(job);
        }
    }

    /** A request was placed or rejected. */
    void decided(int job) {
        Books.Booking entry = books.entry(job);
        if (entry.gang >= 0) {
            decidedGangs.add(entry.gang);
            Set<Integer> rest = Objects.requireNonNull(books.gangs.get(entry.gang));
            rest.remove(job);
            if (rest.isEmpty()) {
                books.gangs.remove(entry.gang);
            }
            entry.gang = -1;
        }
    }

    /** Gangs are complete or gone, members of a waiting gang wait together, and no agent is silent for too long. */
    void check(long now, boolean stepEnded) {
        for (int gang : decidedGangs) {
            if (books.gangs.containsKey(gang)) {
                throw new LawError(Law.GANGS, "of gang " + gang + " jobs " + books.gangs.get(gang) + " were left out");
            }
        }
        decidedGangs.clear();
        for (Map.Entry<Integer, Set<Integer>> gang : books.gangs.entrySet()) {
            checkTogether(gang.getKey(), List.copyOf(gang.getValue()), stepEnded);
        }
        for (int server = 0; server < books.machines.size(); server++) {
            if (books.machines.get(server).due() <= now) {
                throw broken("server " + server + " is silent since "
                        + books.machines.get(server).heardAt + " and still "
                        + books.machines.get(server).status);
            }
        }
    }

    private void checkTogether(int gang, List<Integer> jobs, boolean stepEnded) {
        List<JobState> states =
                jobs.stream().map(job -> books.entry(job).state).distinct().toList();
        boolean wait = states.equals(List.of(JobState.WAITING));
        if (!wait && (stepEnded || !states.equals(List.of(JobState.PENDING)))) {
            throw new LawError(Law.GANGS, "jobs " + jobs + " of gang " + gang + " are " + states);
        }
        if (wait) {
            List<Integer> queue = new ArrayList<>(books.queue(books.entry(jobs.get(0)).place));
            int first = queue.indexOf(jobs.get(0));
            if (first + jobs.size() > queue.size()
                    || !queue.subList(first, first + jobs.size()).equals(jobs)) {
                throw new LawError(
                        Law.GANGS, "jobs " + jobs + " of gang " + gang + " do not stand together in " + queue);
            }
        }
    }

    void started(Command command, int job, int server) {
        Books.Booking entry = running(job, server);
        if (!entry.agent || entry.phase != Phase.PLACED || !isNamed(command, entry, server, Kind.STARTED)) {
            throw broken("job " + job + ", " + entry.phase + ", was said to run");
        }
        entry.phase(Phase.STARTED);
    }

    /** Whether the command names the request, or reports what runs on its server. */
    private static boolean isNamed(Command command, Books.Booking entry, int server, Kind... kinds) {
        return (List.of(kinds).contains(command.kind()) && command.subject() == entry.id)
                || (command.kind() == Kind.REPORT && command.subject() == server);
    }

    void stopping(Command command, long at, int job, int server, String reason) {
        Books.Booking entry = running(job, server);
        boolean forGood = reason.equals(ENDS);
        if (!entry.agent || (entry.phase == Phase.STOPPING && !(forGood && entry.again))) {
            throw broken("job " + job + ", " + entry.phase + ", is to stop");
        }
        boolean named = command.subject() == entry.id;
        boolean evicted = named && command.kind() == Kind.EVICT;
        if (forGood ? !named || command.kind() != Kind.STOP : !mayLeave(evicted, at, server, reason)) {
            throw broken("job " + job + " is to stop, as nobody asked: " + reason);
        }
        entry.phase(Phase.STOPPING);
        entry.again = !forGood;
        entry.avoiding = evicted && !reason.equals(DRAINS);
    }

    /** Whether there is a reason to take a request off its server. */
    private boolean mayLeave(boolean named, long at, int server, String reason) {
        Books.Machine machine = books.machine(server);
        if (reason.equals(DRAINS)) {
            boolean due = machine.status == ServerStatus.DRAINING && machine.gapNanos > 0 && at >= machine.moveAt;
            machine.moveAt = at + machine.gapNanos;
            return due;
        }
        return named || books.capabilities.contains(Capability.PRIORITIES);
    }

    void evicted(Command command, long at, int job, int server, String reason) {
        Books.Booking entry = running(job, server);
        boolean avoiding = entry.avoiding;
        if (entry.agent) {
            boolean missing = command.kind() == Kind.REPORT
                    && command.subject() == server
                    && entry.phase == Phase.STARTED
                    && !reported(command).contains(entry.id);
            boolean stopped = entry.phase == Phase.STOPPING
                    && entry.again
                    && isNamed(command, entry, server, Kind.STOPPED, Kind.START_FAILED);
            if (!missing && !stopped) {
                throw broken("job " + job + ", " + entry.phase + ", was taken off server " + server + " by " + command);
            }
        } else {
            boolean named = command.kind() == Kind.EVICT && command.subject() == entry.id;
            if (!mayLeave(named, at, server, reason)) {
                throw broken("job " + job + " was taken off server " + server + ", as nobody asked: " + reason);
            }
            avoiding = named && !reason.equals(DRAINS);
        }
        pendingAgain(job, entry, server, avoiding);
    }

    void startFailed(Command command, int job, int server) {
        Books.Booking entry = running(job, server);
        if (!entry.agent
                || entry.phase != Phase.PLACED
                || command.kind() != Kind.START_FAILED
                || command.subject() != entry.id) {
            throw broken("job " + job + ", " + entry.phase + ", failed to start");
        }
        entry.failures++;
        pendingAgain(job, entry, server, true);
    }

    private void pendingAgain(int job, Books.Booking entry, int server, boolean avoiding) {
        books.lift(job);
        entry.phase(Phase.PLACED);
        if (avoiding) {
            books.avoid(entry, server);
        }
        books.putPending(job);
    }

    /** A request with an agent has left without being named: it was to stop, and it is known to have stopped. */
    boolean hasStopped(Command command, long at, int job, int server) {
        Books.Booking entry = books.entry(job);
        boolean known = (command.kind() == Kind.REPORT && command.subject() == server)
                || (command.kind() == Kind.LOSE && command.subject() == server)
                || (server >= 0 && isOver(at, server));
        return known && entry.agent && entry.phase == Phase.STOPPING && !entry.again;
    }

    /** Whether the lease of a silent server has run out. */
    boolean isOver(long at, int server) {
        Books.Machine machine = books.machine(server);
        return machine.status == ServerStatus.SUSPECTED && machine.due() == at;
    }

    void displaced(Command command, long at, int job, int server) {
        Books.Machine machine = books.machine(server);
        if (machine.hasAgent() ? !isOver(at, server) : command.kind() != Kind.LOSE || command.subject() != server) {
            throw broken("job " + job + " was displaced while the lease of server " + server + " had not run out");
        }
        books.entry(job).phase(Phase.PLACED);
    }

    void strayed(Command command, long id, int server) {
        boolean there = books.handles.containsKey(id)
                && books.entry(books.handles.get(id)).state == JobState.RUNNING
                && books.entry(books.handles.get(id)).place == server;
        boolean asked = command.kind() == Kind.REPORT
                && command.subject() == server
                && reported(command).contains(id);
        if (there || !asked || !strays.add(id)) {
            throw broken("request " + id + " was called a stray on server " + server);
        }
    }

    /** Whether the status changed without a command, as the records expect. */
    boolean changedByItself(long at, int server, ServerStatus status) {
        Books.Machine machine = books.machine(server);
        if (status == ServerStatus.SUSPECTED) {
            if (machine.status == ServerStatus.GONE || machine.due() != at) {
                throw broken("server " + server + " was suspected, heard at " + machine.heardAt);
            }
            machine.heard = machine.status;
            machine.status = status;
            return true;
        }
        if (status == ServerStatus.GONE && isOver(at, server)) {
            machine.gapNanos = 0;
            return true;
        }
        return false;
    }

    /** The status of a server after a heartbeat, a report or a drain with moves. */
    ServerStatus statusAfter(Command command, int server) {
        Books.Machine machine = books.machine(server);
        return switch (command.kind()) {
            case HEARTBEAT -> heardBy(machine, command.amounts().get(0));
            case REPORT -> machine.status == ServerStatus.RETURNING ? machine.reported : machine.status;
            default -> ServerStatus.DRAINING;
        };
    }

    private static ServerStatus heardBy(Books.Machine machine, long incarnation) {
        boolean isNew = !machine.hasAgent() || machine.status == ServerStatus.GONE || incarnation > machine.incarnation;
        if (isNew) {
            return ServerStatus.RETURNING;
        }
        return machine.status == ServerStatus.SUSPECTED ? machine.heard : machine.status;
    }

    /** The server has its new status; a heartbeat, a report or moves were asked for, and not refused. */
    void apply(Command command, long at, ServerStatus before) {
        Books.Machine machine = books.machine((int) command.subject());
        if (command.kind() == Kind.HEARTBEAT) {
            heard(machine, command, at, before);
        } else if (command.kind() == Kind.REPORT) {
            checkReported(command);
        }
    }

    /** Treats agents as if they had sent a heartbeat, or begun to be suspected, at the given time. */
    void renewLeases(long from) {
        for (Books.Machine machine : books.machines) {
            machine.heardAt = machine.status == ServerStatus.SUSPECTED ? from - machine.leaseNanos : from;
        }
    }

    private static void heard(Books.Machine machine, Command command, long at, ServerStatus before) {
        boolean isNew = !machine.hasAgent() || before == ServerStatus.GONE;
        if (isNew || command.amounts().get(0) > machine.incarnation) {
            ServerStatus known = before == ServerStatus.SUSPECTED ? machine.heard : before;
            machine.reported = before == ServerStatus.GONE
                    ? ServerStatus.UP
                    : known == ServerStatus.RETURNING ? machine.reported : known;
        }
        machine.incarnation = command.amounts().get(0);
        machine.leaseNanos = command.amounts().get(1);
        machine.graceNanos = command.amounts().get(2);
        machine.heardAt = at;
    }

    private void checkReported(Command command) {
        Set<Long> ids = reported(command);
        for (int job : books.machine((int) command.subject()).occupants) {
            Books.Booking entry = books.entry(job);
            if (entry.agent && entry.phase != Phase.PLACED && !ids.contains(entry.id)) {
                throw broken("request " + entry.id + " is " + entry.phase + " and was not reported");
            }
            // A waiting stray may have been placed here since.
            if (!strays.contains(entry.id)) {
                ids.remove(entry.id);
            }
        }
        if (!ids.equals(strays)) {
            throw broken("strays are " + strays + " instead of " + ids);
        }
    }

    private static Set<Long> reported(Command command) {
        return new LinkedHashSet<>(
                command.amounts().subList(1, command.amounts().size()));
    }

    private Books.Booking running(int job, int server) {
        Books.Booking entry = books.entry(job);
        if (entry.state != JobState.RUNNING || entry.place != server) {
            throw broken("job " + job + " is " + entry.state + " at " + entry.place + ", not running on " + server);
        }
        return entry;
    }
}
