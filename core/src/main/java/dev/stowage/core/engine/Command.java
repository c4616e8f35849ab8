package dev.stowage.core.engine;

import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.Labels;
import dev.stowage.core.model.NewRequest;
import dev.stowage.core.policy.PolicySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One command to an engine as a value, with a text form of one line that {@link #parse} reads back, e.g. {@code arrive
 * at=5 id=1 type=0}. Fields that a kind does not use have their neutral value.
 *
 * @param kind which command
 * @param at its time, nanoseconds
 * @param subject request id, server or site
 * @param type request type, -1 for none
 * @param amounts demand or capacity; may be wrong on purpose
 * @param pooled pooled demand or capacity; may be wrong on purpose
 * @param rewardMicros reward of a request with its own demand
 * @param constraints which servers a request with its own demand may use
 * @param server where an adopted request runs, -1 for none
 * @param name name of a new server, empty for none
 * @param labels labels of a server
 * @param policy the policy of {@link Kind#SET_POLICY}
 * @param priority priority of a request with its own demand
 * @param agent whether a request with its own demand has an agent
 * @param expectedNanos expected lifetime of a request with its own demand, 0 for none
 * @param members the requests of a gang, as arrivals with their own demand
 * @param devices the devices that an adopted request holds or a resized server has, bit i for device i; 0 for none
 *     named
 */
public record Command(
        Kind kind,
        long at,
        long subject,
        int type,
        List<Long> amounts,
        List<Long> pooled,
        long rewardMicros,
        Constraints constraints,
        int server,
        String name,
        Labels labels,
        PolicySpec policy,
        int priority,
        boolean agent,
        long expectedNanos,
        List<Command> members,
        long devices) {
    static final PolicySpec NO_POLICY = PolicySpec.of("");

    /** The commands of {@link Commands}. */
    public enum Kind {
        /** A request of a type arrives. */
        ARRIVE("arrive"),
        /** A request arrives with its own demand. */
        ARRIVE_WITH("arrive-with"),
        /** A request that already runs is adopted. */
        ADOPT("adopt"),
        /** The requests of {@link #members} arrive as a gang, to be placed all together or not at all. */
        GANG("gang"),
        /** A request ends. */
        LEAVE("leave"),
        /** All members of a gang that waits end, at once; the subject is one of them. */
        LEAVE_TOGETHER("leave-together"),
        /** The agent of a request reports that it runs. */
        STARTED("started"),
        /** The agent of a request reports that it could not be started. */
        START_FAILED("start-failed"),
        /** A request must end. */
        STOP("stop"),
        /** The agent of a request reports that it does not run any more. */
        STOPPED("stopped"),
        /** A running request must run elsewhere. */
        EVICT("evict"),
        /** Time passes. */
        TICK("tick"),
        /** A slot ends. */
        ROUND("round"),
        /** A server joins. */
        ADD_SERVER("add-server"),
        /** A server has another capacity. */
        RESIZE("resize"),
        /** A server has other labels. */
        LABEL("label"),
        /** A site joins. */
        ADD_SITE("add-site"),
        /** A server takes no new requests. */
        DRAIN("drain"),
        /** A server takes no new requests, and its running ones are moved; amounts are the gap. */
        DRAIN_MOVING("drain-moving"),
        /** The agent of a server is alive; amounts are incarnation, lease and grace time. */
        HEARTBEAT("heartbeat"),
        /** The agent of a server reports what runs; amounts are the incarnation, then the ids. */
        REPORT("report"),
        /** All leases begin anew; amounts are the time from which. */
        RENEW_LEASES("renew-leases"),
        /** A server is up again. */
        RETURN("return"),
        /** An empty server is removed. */
        REMOVE("remove"),
        /** A server died. */
        LOSE("lose"),
        /** Another policy takes over. */
        SET_POLICY("set-policy");

        final String text;

        Kind(String text) {
            this.text = text;
        }

        static Kind of(String text) {
            for (Kind kind : values()) {
                if (kind.text.equals(text)) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("unknown command '" + text + "'");
        }
    }

    /** Takes copies. */
    public Command {
        amounts = List.copyOf(amounts);
        pooled = List.copyOf(pooled);
        members = List.copyOf(members);
    }

    /** A command without priority, agent, expected lifetime, members and named devices. */
    private Command(
            Kind kind,
            long at,
            long subject,
            int type,
            List<Long> amounts,
            List<Long> pooled,
            long rewardMicros,
            Constraints constraints,
            int server,
            String name,
            Labels labels,
            PolicySpec policy) {
        this(
                kind,
                at,
                subject,
                type,
                amounts,
                pooled,
                rewardMicros,
                constraints,
                server,
                name,
                labels,
                policy,
                0,
                false,
                0,
                List.of(),
                0);
    }

    /** A command without constraints, name and labels. */
    public Command(
            Kind kind,
            long at,
            long subject,
            int type,
            List<Long> amounts,
            List<Long> pooled,
            long rewardMicros,
            PolicySpec policy) {
        this(kind, at, subject, type, amounts, pooled, rewardMicros, Constraints.NONE, -1, "", Labels.NONE, policy);
    }

    /** A request of a type arrives. */
    public static Command arrive(long at, long id, int type) {
        return new Command(Kind.ARRIVE, at, id, type, List.of(), List.of(), 0, NO_POLICY);
    }

    /** A request arrives with its own demand. */
    public static Command arriveWith(long at, long id, int type, List<Long> demand, List<Long> pooled, long reward) {
        return new Command(Kind.ARRIVE_WITH, at, id, type, demand, pooled, reward, NO_POLICY);
    }

    /** The same limited to sites; only for {@link #arriveWith}. */
    public Command limitedTo(List<Integer> newSites) {
        return constrained(constraints.withSites(newSites));
    }

    /** The same with constraints; only for {@link #arriveWith} and commands made from it. */
    public Command constrained(Constraints newConstraints) {
        if (kind != Kind.ARRIVE_WITH && kind != Kind.ADOPT) {
            throw new IllegalArgumentException("only an arrival with its own demand can have constraints, not " + this);
        }
        return with(kind, at, subject, amounts, pooled, newConstraints, server, name, labels);
    }

    /** The same with a priority; only for {@link #arriveWith}. */
    public Command withPriority(int newPriority) {
        return withTraits(newPriority, agent, expectedNanos);
    }

    /** The same with an agent; only for {@link #arriveWith}. */
    public Command withAgent() {
        return withTraits(priority, true, expectedNanos);
    }

    /** The same with an expected lifetime; only for {@link #arriveWith}. */
    public Command expecting(long newExpectedNanos) {
        return withTraits(priority, agent, newExpectedNanos);
    }

    Command withTraits(int newPriority, boolean newAgent, long newExpectedNanos) {
        return new Command(
                kind,
                at,
                subject,
                type,
                amounts,
                pooled,
                rewardMicros,
                constraints,
                server,
                name,
                labels,
                policy,
                newPriority,
                newAgent,
                newExpectedNanos,
                members,
                devices);
    }

    /** A request arrives, with all of its properties. */
    public static Command arrive(long at, NewRequest one) {
        return arriveWith(at, one.id(), one.type(), list(one.demand()), list(one.pooledDemand()), one.rewardMicros())
                .constrained(one.constraints())
                .withTraits(one.priority(), one.agent(), one.expectedNanos());
    }

    /** A gang arrives, to be placed all together or not at all; {@code members} come from {@link #arriveWith}. */
    public static Command gang(long at, List<Command> members) {
        long first = members.isEmpty() ? -1 : members.get(0).subject;
        return new Command(
                Kind.GANG,
                at,
                first,
                -1,
                List.of(),
                List.of(),
                0,
                Constraints.NONE,
                -1,
                "",
                Labels.NONE,
                NO_POLICY,
                0,
                false,
                0,
                members.stream().map(member -> member.withAt(at)).toList(),
                0);
    }

    /** The request that arrives; only for {@link #arriveWith}. */
    public NewRequest request() {
        return new NewRequest(
                subject,
                type,
                array(amounts),
                array(pooled),
                rewardMicros,
                constraints,
                priority,
                agent,
                expectedNanos);
    }

    private static List<Long> list(long[] values) {
        return Arrays.stream(values).boxed().toList();
    }

    /** The agent of a server is alive. */
    public static Command heartbeat(long at, long server, long incarnation, long leaseNanos, long graceNanos) {
        return plain(Kind.HEARTBEAT, at, server).withAmounts(List.of(incarnation, leaseNanos, graceNanos), List.of());
    }

    /** The agent of a server reports what runs. */
    public static Command report(long at, long server, long incarnation, List<Long> ids) {
        List<Long> amounts = new ArrayList<>(List.of(incarnation));
        amounts.addAll(ids);
        return plain(Kind.REPORT, at, server).withAmounts(amounts, List.of());
    }

    /** All leases begin anew at a time. */
    public static Command renewLeases(long at, long from) {
        return plain(Kind.RENEW_LEASES, at, -1).withAmounts(List.of(from), List.of());
    }

    /** A server takes no new requests, and its running ones are moved, one after each gap. */
    public static Command drain(long at, long server, long gapNanos) {
        return plain(Kind.DRAIN_MOVING, at, server).withAmounts(List.of(gapNanos), List.of());
    }

    /** The same request, already running on a server; only for {@link #arriveWith}. */
    public Command adoptedOn(int newServer) {
        return with(Kind.ADOPT, at, subject, amounts, pooled, constraints, newServer, name, labels);
    }

    /** The new server of {@link #addServer} with a name and labels. */
    public Command named(String newName, Labels newLabels) {
        return with(kind, at, subject, amounts, pooled, constraints, server, newName, newLabels);
    }

    private Command with(
            Kind newKind,
            long newAt,
            long newSubject,
            List<Long> newAmounts,
            List<Long> newPooled,
            Constraints newConstraints,
            int newServer,
            String newName,
            Labels newLabels) {
        return new Command(
                newKind,
                newAt,
                newSubject,
                type,
                newAmounts,
                newPooled,
                rewardMicros,
                newConstraints,
                newServer,
                newName,
                newLabels,
                policy,
                priority,
                agent,
                expectedNanos,
                members.stream().map(member -> member.withAt(newAt)).toList(),
                devices);
    }

    /** The same with named devices, bit i for device i; only for {@link #adoptedOn} and {@link #resize}. */
    public Command onDevices(long newDevices) {
        return new Command(
                kind,
                at,
                subject,
                type,
                amounts,
                pooled,
                rewardMicros,
                constraints,
                server,
                name,
                labels,
                policy,
                priority,
                agent,
                expectedNanos,
                members,
                newDevices);
    }

    /** A command that names only a request, server or nothing: the kinds without amounts. */
    public static Command plain(Kind kind, long at, long subject) {
        return new Command(kind, at, subject, -1, List.of(), List.of(), 0, NO_POLICY);
    }

    /** A server joins. */
    public static Command addServer(long at, int site, List<Long> capacity) {
        return new Command(Kind.ADD_SERVER, at, site, -1, capacity, List.of(), 0, NO_POLICY);
    }

    /** A server has another capacity. */
    public static Command resize(long at, long server, List<Long> capacity) {
        return new Command(Kind.RESIZE, at, server, -1, capacity, List.of(), 0, NO_POLICY);
    }

    /** A server has other labels. */
    public static Command label(long at, long server, Labels labels) {
        return new Command(Kind.LABEL, at, server, -1, List.of(), List.of(), 0, NO_POLICY).named("", labels);
    }

    /** A site joins. */
    public static Command addSite(long at, List<Long> pooledCapacity) {
        return new Command(Kind.ADD_SITE, at, -1, -1, List.of(), pooledCapacity, 0, NO_POLICY);
    }

    /** Another policy takes over. */
    public static Command setPolicy(long at, PolicySpec policy) {
        return new Command(Kind.SET_POLICY, at, -1, -1, List.of(), List.of(), 0, policy);
    }

    /** The same at another time. */
    public Command withAt(long newAt) {
        return with(kind, newAt, subject, amounts, pooled, constraints, server, name, labels);
    }

    /** The same with other members; only of {@link #gang}. */
    public Command withMembers(List<Command> newMembers) {
        return gang(at, newMembers);
    }

    /** The same about another request, server or site. */
    public Command withSubject(long newSubject) {
        return with(kind, at, newSubject, amounts, pooled, constraints, server, name, labels);
    }

    /** The same with other amounts. */
    public Command withAmounts(List<Long> newAmounts, List<Long> newPooled) {
        return with(kind, at, subject, newAmounts, newPooled, constraints, server, name, labels);
    }

    /** Whether the command adds a request to the system. */
    public boolean isArrival() {
        return kind == Kind.ARRIVE || kind == Kind.ARRIVE_WITH || kind == Kind.ADOPT;
    }

    /** Gives the command to an engine. */
    public void send(Commands engine) {
        int number = (int) subject;
        switch (kind) {
            case ARRIVE -> engine.arrive(at, subject, type);
            case ARRIVE_WITH -> {
                if (priority == 0 && !agent && expectedNanos == 0) {
                    engine.arrive(at, subject, type, array(amounts), array(pooled), rewardMicros, constraints);
                } else {
                    engine.arrive(at, request());
                }
            }
            case GANG ->
                engine.arriveTogether(at, members.stream().map(Command::request).toList());
            case ADOPT -> engine.adopt(at, request(), server, devices);
            case LEAVE -> engine.leave(at, subject);
            case LEAVE_TOGETHER -> engine.leaveTogether(at, subject);
            case STARTED -> engine.started(at, subject);
            case START_FAILED -> engine.startFailed(at, subject);
            case STOP -> engine.stop(at, subject);
            case STOPPED -> engine.stopped(at, subject);
            case EVICT -> engine.evict(at, subject);
            case TICK -> engine.tick(at);
            case ROUND -> engine.round(at);
            case ADD_SERVER -> engine.addServer(at, number, array(amounts), name, labels);
            case RESIZE -> engine.resizeServer(at, number, array(amounts), devices);
            case LABEL -> engine.labelServer(at, number, labels);
            case ADD_SITE -> engine.addSite(at, array(pooled));
            case DRAIN -> engine.drainServer(at, number);
            case DRAIN_MOVING -> engine.drainServer(at, number, amounts.get(0));
            case HEARTBEAT -> engine.heartbeat(at, number, amounts.get(0), amounts.get(1), amounts.get(2));
            case REPORT -> engine.report(at, number, amounts.get(0), array(amounts.subList(1, amounts.size())));
            case RENEW_LEASES -> engine.renewLeases(at, amounts.get(0));
            case RETURN -> engine.returnServer(at, number);
            case REMOVE -> engine.removeServer(at, number);
            case LOSE -> engine.loseServer(at, number);
            case SET_POLICY -> engine.setPolicy(at, policy);
        }
    }

    /** The text form. */
    @Override
    public String toString() {
        return CommandText.of(this);
    }

    /**
     * The command of a line.
     *
     * @throws IllegalArgumentException if the line is not one
     */
    public static Command parse(String line) {
        return CommandText.parse(line);
    }

    private static long[] array(List<Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).toArray();
    }
}
