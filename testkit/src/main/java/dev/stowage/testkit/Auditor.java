package dev.stowage.testkit;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Effects;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.EngineListener;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.Policy;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Listens to the effects of an engine and keeps its own records from the effects and the commands. Each effect must fit
 * the records, and after every command the view must agree with them.
 */
final class Auditor extends EngineListener {
    private final Scenario scenario;
    private final Books books;
    private final List<Integer> refusedCommands = new ArrayList<>();
    /** Dummies of the previous policy: they end when its successor takes over. */
    private final Set<Integer> dummiesToEnd = new TreeSet<>();

    private @Nullable Command command;
    private int index = -1;
    private long now;
    private boolean carriedOut;
    private boolean wasRefused;
    private final AgentAudit agents;
    /** Members of the arriving gang that have arrived. */
    private int gangArrived;
    /** The status before the command of the server that it changes. */
    private @Nullable ServerStatus before;

    private Auditor(Scenario scenario) {
        this.scenario = scenario;
        books = new Books(scenario.cluster());
        agents = new AgentAudit(books);
    }

    /** Results of an audited run, for the laws that compare other runs with it. */
    record Run(Engine engine, List<Integer> refusedCommands) {}

    /** Runs the scenario; throws {@link LawError} at the first broken law. */
    static Run audit(Scenario scenario) {
        return audit(scenario, auditor -> auditor);
    }

    /** The same with a filter between engine and auditor, to test that the auditor notices changes. */
    static Run audit(Scenario scenario, UnaryOperator<Effects> between) {
        Auditor auditor = new Auditor(scenario);
        try {
            return auditor.run(between.apply(auditor));
        } catch (LawError e) {
            throw new LawError(e.law(), auditor.where() + plain(e), e);
        } catch (RuntimeException e) {
            throw new LawError(Law.RULES, auditor.where() + e, e);
        }
    }

    private Run run(Effects listener) {
        Engine running = scenario.start(this::create, listener);
        checkAfter(running);
        for (Command next : scenario.log().commands()) {
            command = next;
            index++;
            carriedOut = false;
            wasRefused = false;
            gangArrived = 0;
            before = null;
            agents.begin(next);
            long sites = books.pools.size();
            next.send(running);
            if (!wasRefused && next.kind() == Command.Kind.ADD_SITE) {
                books.pools.add(next.pooled());
                carriedOut = running.view().sites() == sites + 1;
            }
            finish(next);
            if (!wasRefused && !carriedOut && !isSilent(next)) {
                throw new LawError(Law.REFUSAL, "it was neither carried out nor refused");
            }
            now = wasRefused && next.at() < now ? now : next.at();
            checkAfter(running);
        }
        return new Run(running, refusedCommands);
    }

    /** Records what a command does without an effect of its own. */
    private void finish(Command next) {
        boolean ofAgent = next.kind() == Command.Kind.HEARTBEAT || next.kind() == Command.Kind.REPORT;
        if (ofAgent && !wasRefused) {
            ServerStatus status = books.machine((int) next.subject()).status;
            if (!carriedOut) {
                carryOut();
            }
            if (before == null && agents.statusAfter(next, (int) next.subject()) != status) {
                throw new LawError(Law.AGENTS, "server " + next.subject() + " is still " + status);
            }
            agents.apply(next, next.at(), before == null ? status : before);
        }
        if (next.kind() == Command.Kind.RENEW_LEASES && !wasRefused) {
            agents.renewLeases(next.amounts().get(0));
        }
        if (next.kind() == Command.Kind.GANG
                && !wasRefused
                && gangArrived < next.members().size()) {
            throw new LawError(Law.GANGS, "only " + gangArrived + " of the gang arrived");
        }
        agents.checkLeft(wasRefused);
    }

    private static boolean isSilent(Command command) {
        return switch (command.kind()) {
            case TICK, ROUND, RENEW_LEASES -> true;
            default -> false;
        };
    }

    private void checkAfter(Engine running) {
        boolean stepEnded = scenario.steps() == Steps.COMMANDS
                || (command != null && command.kind() == Command.Kind.ROUND && !wasRefused);
        if (stepEnded && !books.pending.isEmpty()) {
            throw new LawError(Law.DECIDED, "jobs " + books.pending + " are undecided at the end of the step");
        }
        agents.check(Math.max(0, now), stepEnded);
        if (!dummiesToEnd.isEmpty()) {
            throw new LawError(Law.BOOKS, "dummies " + dummiesToEnd + " of the predecessor did not end");
        }
        ViewCheck.check(books, running, now);
    }

    /** The policies of the scenario; the engine asks for one at the start and at the moment a policy is replaced. */
    private Policy create(PolicySpec spec) {
        Policy policy = scenario.policies().create(spec);
        if (ExpectedRefusals.notKept(policy.capabilities(), books) != null) {
            return policy;
        }
        if (command != null && command.kind() == Command.Kind.SET_POLICY) {
            books.entries.entrySet().stream()
                    .filter(one -> one.getValue().state == JobState.PENDING || one.getValue().state == JobState.WAITING)
                    .sorted(Comparator.comparingLong(one -> one.getValue().order))
                    .map(Map.Entry::getKey)
                    .toList()
                    .forEach(job -> {
                        books.lift(job);
                        books.putPending(job);
                    });
            books.entries.forEach((job, entry) -> {
                if (entry.state == JobState.DUMMY) {
                    dummiesToEnd.add(job);
                }
            });
            carryOut();
        }
        books.capabilities = policy.capabilities();
        return policy;
    }

    /** The command has its effect now: there must be no reason to refuse it, and it must not have had it before. */
    private void carryOut() {
        Command present = Objects.requireNonNull(command);
        if (carriedOut) {
            throw new LawError(Law.REFUSAL, "it was carried out twice");
        }
        Refusal reason = ExpectedRefusals.reason(present, books, now, scenario.policies());
        if (reason != null) {
            throw new LawError(Law.REFUSAL, "it was carried out instead of refused as " + reason);
        }
        carriedOut = true;
    }

    @Override
    public void refused(long at, long subject, Refusal refusal, String detail) {
        Command present = Objects.requireNonNull(command);
        Refusal reason = ExpectedRefusals.reason(present, books, now, scenario.policies());
        if (reason != refusal || carriedOut || wasRefused) {
            throw new LawError(
                    Law.REFUSAL,
                    "it was refused as " + refusal + " (" + detail + "), expected " + reason + ", carried out: "
                            + carriedOut + ", refused before: " + wasRefused);
        }
        wasRefused = true;
        refusedCommands.add(index);
        books.refused++;
    }

    @Override
    public void arrived(long at, int job) {
        Command whole = Objects.requireNonNull(command);
        if (gangArrived == 0) {
            carryOut();
            books.nextGang += whole.kind() == Command.Kind.GANG ? 1 : 0;
        }
        Command present = whole.kind() == Command.Kind.GANG ? whole.members().get(gangArrived++) : whole;
        boolean typed = present.kind() == Command.Kind.ARRIVE;
        RequestType type = typed ? books.cluster.types().get(present.type()) : null;
        List<Long> demand =
                type == null ? present.amounts() : Books.list(type.demand().toArray());
        List<Long> pooled =
                type == null ? present.pooled() : Books.list(type.pooledDemand().toArray());
        long reward = type == null ? present.rewardMicros() : type.rewardMicros();
        Books.Booking entry = new Books.Booking(
                JobState.PENDING,
                present.subject(),
                present.type(),
                demand,
                pooled,
                reward,
                at,
                books.arrived++,
                present.constraints());
        enter(job, entry);
        books.handles.put(entry.id, job);
        agents.arrived(job, present, whole.kind() == Command.Kind.GANG ? books.nextGang - 1 : -1);
        if (present.kind() != Command.Kind.ADOPT) {
            books.putPending(job);
        }
        resetShare(entry);
    }

    /** Regardless of the free amounts there, and of whether its constraints admit the server. */
    @Override
    public void adopted(long at, int job, int server) {
        Command present = Objects.requireNonNull(command);
        if (present.kind() != Command.Kind.ADOPT || server != present.server() || books.entry(job).place >= 0) {
            throw new LawError(Law.BOOKS, "job " + job + " was adopted on server " + server);
        }
        books.putOn(job, server);
        Set<Integer> named = Books.set(present.devices());
        takeDevices(job);
        if (!named.isEmpty() && !named.equals(books.entry(job).devices)) {
            throw new LawError(Law.BOOKS, "job " + job + " holds devices " + books.entry(job).devices);
        }
        books.entry(job).phase(Phase.STARTED);
        books.entry(job).runsSince = at;
    }

    @Override
    public void started(long at, int job, int server) {
        carryOutOnce();
        agents.started(Objects.requireNonNull(command), job, server);
    }

    @Override
    public void startFailed(long at, int job, int server) {
        carryOut();
        agents.startFailed(Objects.requireNonNull(command), job, server);
        resetShare(books.entry(job));
    }

    @Override
    public void stopping(long at, int job, int server, String reason) {
        Command present = Objects.requireNonNull(command);
        boolean asked = present.kind() == Command.Kind.EVICT || present.kind() == Command.Kind.STOP;
        if (asked && books.entry(job).id == present.subject() && !reason.equals(AgentAudit.DRAINS)) {
            carryOut();
        }
        agents.stopping(present, at, job, server, reason);
    }

    @Override
    public void evicted(long at, int job, int server, String reason) {
        Command present = Objects.requireNonNull(command);
        boolean asked = books.entry(job).id == present.subject()
                && (present.kind() == Command.Kind.EVICT
                        || present.kind() == Command.Kind.STOPPED
                        || present.kind() == Command.Kind.START_FAILED);
        if (asked && !reason.equals(AgentAudit.DRAINS)) {
            carryOut();
        } else if (present.kind() == Command.Kind.REPORT && books.entry(job).agent) {
            carryOutOnce();
        }
        agents.evicted(present, at, job, server, reason);
        resetShare(books.entry(job));
    }

    @Override
    public void strayed(long at, long id, int server) {
        carryOutOnce();
        agents.strayed(Objects.requireNonNull(command), id, server);
    }

    @Override
    public void resized(long at, int server, long[] before) {
        carryOut();
        Books.Machine machine = books.machine(server);
        Command present = Objects.requireNonNull(command);
        if (present.kind() != Command.Kind.RESIZE
                || server != present.subject()
                || !machine.capacity.equals(Books.list(before))) {
            throw new LawError(Law.BOOKS, "server " + server + " was resized from " + Books.list(before));
        }
        books.resize(machine, present.amounts(), Books.set(present.devices()));
    }

    @Override
    public void labelled(long at, int server) {
        carryOut();
        Command present = Objects.requireNonNull(command);
        if (present.kind() != Command.Kind.LABEL || server != present.subject()) {
            throw new LawError(Law.BOOKS, "server " + server + " was labelled");
        }
        books.machine(server).labels = present.labels();
    }

    @Override
    public void placed(long at, int job, int server, String reason) {
        expect(job, "placed", JobState.PENDING, JobState.WAITING);
        agents.decided(job);
        books.lift(job);
        land(job, server);
        books.entry(job).runsSince = at;
    }

    @Override
    public void queued(long at, int job, int queue, String reason) {
        expect(job, "queued", JobState.PENDING, JobState.WAITING);
        books.lift(job);
        books.putWaiting(job, queue);
    }

    @Override
    public void rejected(long at, int job, String reason) {
        expect(job, "rejected", JobState.PENDING, JobState.WAITING);
        agents.decided(job);
        books.lift(job);
        books.strike(job);
        books.rejected++;
    }

    @Override
    public void migrated(long at, int job, int from, int to, String reason) {
        expectAt(job, "migrated", JobState.RUNNING, from);
        if (books.entry(job).agent) {
            throw new LawError(Law.AGENTS, "job " + job + " was migrated and has an agent");
        }
        books.lift(job);
        land(job, to);
    }

    @Override
    public void allocated(long at, int job, long amount) {
        expect(job, "allocated", JobState.RUNNING);
        Books.Booking entry = books.entry(job);
        entry.share = amount;
        checkCapacity(entry.place);
    }

    @Override
    public void left(long at, int job, int server) {
        Command present = Objects.requireNonNull(command);
        Books.Booking entry = books.entry(job);
        if (agents.leavesTogether(entry)) {
            carryOutOnce();
        } else if (agents.hasStopped(present, at, job, server)) {
            if (present.kind() == Command.Kind.REPORT && !agents.isOver(at, server)) {
                carryOutOnce();
            }
        } else {
            carryOut();
            if (entry.id != present.subject()) {
                throw new LawError(Law.BOOKS, "request " + entry.id + " left in its place");
            }
        }
        expectAt(job, "left", entry.state, entry.state == JobState.RUNNING ? server : entry.place);
        if ((server >= 0) != (entry.state == JobState.RUNNING)) {
            throw new LawError(Law.BOOKS, "job " + job + ", " + entry.state + ", left server " + server);
        }
        books.lift(job);
        books.strike(job);
        books.left++;
    }

    @Override
    public void displaced(long at, int job, int server) {
        expectAt(job, "displaced", JobState.RUNNING, server);
        agents.displaced(Objects.requireNonNull(command), at, job, server);
        books.lift(job);
        books.putPending(job);
        resetShare(books.entry(job));
    }

    @Override
    public void dummyPlaced(long at, int dummy, int server, String reason) {
        int type = view().type(dummy);
        RequestType of = books.cluster.types().get(type);
        List<Long> demand = Books.list(of.demand().toArray());
        List<Long> pooled = Books.list(of.pooledDemand().toArray());
        Books.Booking entry = new Books.Booking(JobState.DUMMY, -1, type, demand, pooled, 0, at, -1, Constraints.NONE);
        enter(dummy, entry);
        resetShare(entry);
        land(dummy, server);
    }

    @Override
    public void dummyEnded(long at, int dummy, int server) {
        expectAt(dummy, "ended", JobState.DUMMY, server);
        books.lift(dummy);
        books.strike(dummy);
        dummiesToEnd.remove(dummy);
    }

    @Override
    public void serverChanged(long at, int server, ServerStatus status) {
        if (command != null && server < books.machines.size() && agents.changedByItself(at, server, status)) {
            books.machine(server).status = status;
            return;
        }
        if (Objects.requireNonNull(command).kind() == Command.Kind.REPORT) {
            carryOutOnce();
        } else {
            carryOut();
        }
        Command present = Objects.requireNonNull(command);
        if (present.kind() == Command.Kind.ADD_SERVER) {
            books.add(new Books.Machine((int) present.subject(), present.amounts(), present.name(), present.labels()));
        }
        Books.Machine machine = books.machine(server);
        boolean named = present.kind() == Command.Kind.ADD_SERVER
                ? server == books.machines.size() - 1
                : server == present.subject();
        ServerStatus usual = ExpectedRefusals.statusAfter(present.kind());
        if (!named || status != (usual == null ? agents.statusAfter(present, server) : usual)) {
            throw new LawError(Law.BOOKS, "server " + server + " became " + status);
        }
        if (status == ServerStatus.GONE && !machine.occupants.isEmpty()) {
            throw new LawError(Law.BOOKS, "server " + server + " is gone with jobs " + machine.occupants);
        }
        before = machine.status;
        machine.status = status;
        if (status == ServerStatus.UP || status == ServerStatus.GONE) {
            machine.gapNanos = 0;
        }
        if (status == ServerStatus.GONE) {
            machine.incarnation = -1;
        }
        if (present.kind() == Command.Kind.DRAIN_MOVING) {
            machine.gapNanos = present.amounts().get(0);
            machine.moveAt = at;
        }
    }

    private void carryOutOnce() {
        if (!carriedOut) {
            carryOut();
        }
    }

    private void enter(int job, Books.Booking entry) {
        if (books.entries.putIfAbsent(job, entry) != null) {
            throw new LawError(Law.BOOKS, "handle " + job + " is given to two at once");
        }
    }

    private void resetShare(Books.Booking entry) {
        if (books.divisible >= 0) {
            entry.share = entry.demand.get(books.divisible);
        }
    }

    private void land(int job, int server) {
        if (books.machine(server).status != ServerStatus.UP) {
            throw new LawError(
                    Law.BOOKS,
                    "job " + job + " came to server " + server + ", which is " + books.machine(server).status);
        }
        Constraints constraints = books.entry(job).constraints;
        if (!books.admits(constraints, server, job)) {
            throw new LawError(Law.BOOKS, "job " + job + " came to server " + server + " against its " + constraints);
        }
        books.putOn(job, server);
        takeDevices(job);
        for (int device : books.entry(job).devices) {
            long free = books.free(books.machine(server), device);
            within(books.deviceAmount - free, books.deviceAmount, "server " + server + ", device " + device);
        }
        checkCapacity(server);
        checkPools(books.machine(server).site, books.entry(job));
    }

    /** A job holds the devices that the engine says: as many as it demands. */
    private void takeDevices(int job) {
        Books.Booking entry = books.entry(job);
        entry.devices.addAll(Books.set(view().devicesHeld(job)));
        long demand = books.device < 0 ? 0 : entry.demand.get(books.device);
        long expected = books.device < 0 ? 0 : (demand + books.deviceAmount - 1) / books.deviceAmount;
        if (entry.devices.size() != expected) {
            throw new LawError(Law.BOOKS, "job " + job + " holds devices " + entry.devices + " for " + demand);
        }
    }

    private void checkCapacity(int server) {
        Books.Machine machine = books.machine(server);
        for (int r = 0; r < machine.capacity.size(); r++) {
            within(books.used(machine, r), machine.capacity.get(r), "server " + server + ", resource " + r);
        }
    }

    /** A request that demands nothing of a pool is not affected by an overfull pool. */
    private void checkPools(int site, Books.Booking entry) {
        List<Long> pool = books.pools.get(site);
        for (int p = 0; p < pool.size(); p++) {
            if (entry.pooled.get(p) > 0) {
                within(books.usedOfPool(site, p), pool.get(p), "site " + site + ", pooled resource " + p);
            }
        }
    }

    private static void within(long used, long capacity, String what) {
        if (used < 0 || used > capacity) {
            throw new LawError(Law.CAPACITY, what + " holds " + used + " of " + capacity);
        }
    }

    private void expect(int job, String verb, JobState... allowed) {
        JobState state = books.entry(job).state;
        if (!List.of(allowed).contains(state)) {
            throw new LawError(Law.BOOKS, "job " + job + " was " + verb + " while " + state);
        }
    }

    private void expectAt(int job, String verb, JobState state, int place) {
        expect(job, verb, state);
        if (books.entry(job).place != place) {
            throw new LawError(
                    Law.BOOKS, "job " + job + " was " + verb + " at " + place + " but is at " + books.entry(job).place);
        }
    }

    private String where() {
        return command == null ? "at the start: " : "command " + (index + 1) + " (" + command + "): ";
    }

    private static String plain(LawError error) {
        String message = String.valueOf(error.getMessage());
        return message.substring(message.indexOf(": ") + 2);
    }
}
