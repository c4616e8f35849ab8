package dev.stowage.testkit;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.Phase;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Why a command must be refused, by the auditor's records. */
final class ExpectedRefusals {
    /** The most of a resource that an adopted request may hold. */
    private static final long MOST_ADOPTED = (1L << 53) - 1;

    private ExpectedRefusals() {}

    /** The reason, or null if the command must be carried out. */
    static @Nullable Refusal reason(Command command, Books books, long now, PolicyFactory policies) {
        if (command.at() < now) {
            return Refusal.LATE;
        }
        return switch (command.kind()) {
            case ARRIVE ->
                isType(command.type(), 0, books) ? ofArrival(typed(command, books), books) : Refusal.UNKNOWN_TYPE;
            case ARRIVE_WITH -> ofArrival(command, books);
            case ADOPT -> ofAdoption(command, books);
            case LEAVE -> books.handles.containsKey(command.subject()) ? null : Refusal.UNKNOWN_ID;
            case LEAVE_TOGETHER -> ofGangThatLeaves(command, books);
            case TICK, ROUND -> null;
            case RENEW_LEASES -> command.amounts().get(0) < command.at() ? Refusal.BAD_TIME : null;
            case ADD_SERVER ->
                command.subject() < 0 || command.subject() >= books.pools.size()
                        ? Refusal.UNKNOWN_SITE
                        : ofNewServer(command, books);
            case RESIZE -> ofResize(command, books);
            case LABEL -> isServer(command.subject(), books) ? null : Refusal.UNKNOWN_SERVER;
            case ADD_SITE ->
                badAmounts(command.pooled(), books.cluster.pooledResources().size(), Refusal.BAD_CAPACITY);
            case DRAIN, RETURN, REMOVE, LOSE -> ofServerChange(command, books);
            case GANG -> ofGang(command, books);
            case STARTED, START_FAILED, STOP, STOPPED, EVICT -> ofRequestLife(command, books);
            case DRAIN_MOVING -> ofMoves(command, books);
            case HEARTBEAT -> ofHeartbeat(command, books);
            case REPORT -> ofReport(command, books);
            case SET_POLICY -> ofPolicy(command.policy(), books, policies);
        };
    }

    /** The status of a server after the command. */
    static @Nullable ServerStatus statusAfter(Command.Kind kind) {
        return switch (kind) {
            case ADD_SERVER, RETURN -> ServerStatus.UP;
            case DRAIN -> ServerStatus.DRAINING;
            case REMOVE, LOSE -> ServerStatus.GONE;
            default -> null;
        };
    }

    private static Command typed(Command command, Books books) {
        var type = books.cluster.types().get(command.type());
        return command.withAmounts(
                Books.list(type.demand().toArray()),
                Books.list(type.pooledDemand().toArray()));
    }

    private static boolean isType(int type, int least, Books books) {
        return type >= least && type < books.cluster.types().size();
    }

    private static @Nullable Refusal ofPolicy(PolicySpec spec, Books books, PolicyFactory policies) {
        try {
            return notKept(policies.create(spec).capabilities(), books);
        } catch (IllegalArgumentException e) {
            return Refusal.UNKNOWN_POLICY;
        }
    }

    /** The refusal if the system contains something that a policy with these capabilities does not support. */
    static @Nullable Refusal notKept(Set<Capability> capabilities, Books books) {
        if (books.device >= 0 && !capabilities.contains(Capability.DEVICES)) {
            return Refusal.UNSUPPORTED;
        }
        if (books.areLimited() && !capabilities.contains(Capability.SITE_LIMITS)) {
            return Refusal.SITE_LIMIT;
        }
        if (books.areConstrained() && !capabilities.contains(Capability.CONSTRAINTS)) {
            return Refusal.CONSTRAINT;
        }
        boolean gangs = !books.gangs.isEmpty() && !capabilities.contains(Capability.GANGS);
        boolean priorities = !capabilities.contains(Capability.PRIORITIES)
                && books.entries.values().stream().anyMatch(entry -> entry.priority != 0);
        boolean agents = !capabilities.contains(Capability.EVICTION)
                && (books.entries.values().stream().anyMatch(entry -> entry.agent)
                        || books.machines.stream().anyMatch(machine -> machine.gapNanos > 0));
        boolean penalties = !capabilities.contains(Capability.PENALTIES)
                && books.entries.values().stream()
                        .anyMatch(entry -> !entry.constraints.penalty().isEmpty());
        if (gangs || priorities || agents || penalties) {
            return Refusal.UNSUPPORTED;
        }
        return books.areOverfull() && !capabilities.contains(Capability.OVERCOMMITMENT) ? Refusal.UNSUPPORTED : null;
    }

    private static boolean isServer(long number, Books books) {
        return number >= 0 && number < books.machines.size();
    }

    private static @Nullable Refusal ofNewServer(Command command, Books books) {
        Refusal bad = badCapacity(command, books);
        boolean taken = !command.name().isEmpty()
                && books.machines.stream().anyMatch(machine -> machine.name.equals(command.name()));
        return bad == null && taken ? Refusal.BAD_NAME : bad;
    }

    private static @Nullable Refusal ofResize(Command command, Books books) {
        if (!isServer(command.subject(), books)) {
            return Refusal.UNKNOWN_SERVER;
        }
        return books.capabilities.contains(Capability.OVERCOMMITMENT)
                ? badCapacity(command, books)
                : Refusal.UNSUPPORTED;
    }

    private static @Nullable Refusal badCapacity(Command command, Books books) {
        Refusal bad = badAmounts(command.amounts(), books.cluster.resources().size(), Refusal.BAD_CAPACITY);
        if (bad != null || books.device < 0) {
            return bad;
        }
        long capacity = command.amounts().get(books.device);
        int named = Books.set(command.devices()).size();
        boolean good = capacity % books.deviceAmount == 0
                && capacity <= 64 * books.deviceAmount
                && (named == 0 || named * books.deviceAmount == capacity);
        return good ? null : Refusal.BAD_CAPACITY;
    }

    private static @Nullable Refusal ofAdoption(Command command, Books books) {
        if (!books.capabilities.contains(Capability.OVERCOMMITMENT)) {
            return Refusal.UNSUPPORTED;
        }
        if (!isServer(command.server(), books)) {
            return Refusal.UNKNOWN_SERVER;
        }
        if (books.machines.get(command.server()).status == ServerStatus.GONE) {
            return Refusal.WRONG_STATUS;
        }
        Refusal bad = ofRequest(command, books);
        boolean tooLarge = Stream.concat(command.amounts().stream(), command.pooled().stream())
                .anyMatch(amount -> amount > MOST_ADOPTED);
        return bad == null && (tooLarge || !areNamedRightly(command, books)) ? Refusal.BAD_DEMAND : bad;
    }

    private static boolean areNamedRightly(Command command, Books books) {
        int named = Books.set(command.devices()).size();
        long demand = books.device < 0 ? 0 : command.amounts().get(books.device);
        return named == 0 || (books.device >= 0 && named == Math.ceil(demand / (double) books.deviceAmount));
    }

    private static @Nullable Refusal ofArrival(Command command, Books books) {
        Refusal bad = ofRequest(command, books);
        if (bad != null) {
            return bad;
        }
        return books.couldHold(command.amounts(), command.pooled(), command.constraints())
                ? null
                : Refusal.FITS_NO_SERVER;
    }

    private static @Nullable Refusal ofGangThatLeaves(Command command, Books books) {
        Integer job = books.handles.get(command.subject());
        if (job == null) {
            return Refusal.UNKNOWN_ID;
        }
        return books.gangs.containsKey(books.entry(job).gang) ? null : Refusal.WRONG_PHASE;
    }

    private static @Nullable Refusal ofGang(Command command, Books books) {
        List<Command> members = command.members();
        if (members.isEmpty()) {
            return Refusal.BAD_DEMAND;
        }
        if (!books.capabilities.contains(Capability.GANGS)) {
            return Refusal.UNSUPPORTED;
        }
        if (members.stream().map(Command::subject).distinct().count() < members.size()) {
            return Refusal.DUPLICATE_ID;
        }
        for (Command member : members) {
            Refusal bad = ofArrival(member, books);
            if (bad != null) {
                return bad;
            }
        }
        for (int r = 0; r < books.cluster.resources().size(); r++) {
            BigInteger missing = BigInteger.ZERO;
            for (Command member : members) {
                missing = missing.add(BigInteger.valueOf(member.amounts().get(r)));
            }
            for (Books.Machine machine : books.machines) {
                long capacity = machine.status == ServerStatus.GONE ? 0 : machine.capacity.get(r);
                missing = missing.subtract(BigInteger.valueOf(capacity));
            }
            if (missing.signum() > 0) {
                return Refusal.FITS_NO_SERVER;
            }
        }
        return null;
    }

    private static @Nullable Refusal ofRequestLife(Command command, Books books) {
        Integer job = books.handles.get(command.subject());
        if (job == null) {
            return Refusal.UNKNOWN_ID;
        }
        Books.Booking entry = books.entry(job);
        boolean running = entry.state == JobState.RUNNING;
        boolean told = running && entry.agent;
        boolean good = switch (command.kind()) {
            case STARTED -> told && entry.phase == Phase.PLACED;
            case START_FAILED -> told && entry.phase != Phase.STARTED;
            case STOPPED -> told;
            case STOP -> !told || entry.phase != Phase.STOPPING || entry.again;
            default -> running && entry.phase != Phase.STOPPING;
        };
        if (command.kind() == Command.Kind.EVICT && !books.capabilities.contains(Capability.EVICTION)) {
            return Refusal.UNSUPPORTED;
        }
        return good ? null : Refusal.WRONG_PHASE;
    }

    private static @Nullable Refusal ofMoves(Command command, Books books) {
        if (command.amounts().get(0) < 1) {
            return Refusal.BAD_TIME;
        }
        if (!books.capabilities.contains(Capability.EVICTION)) {
            return Refusal.UNSUPPORTED;
        }
        if (!isServer(command.subject(), books)) {
            return Refusal.UNKNOWN_SERVER;
        }
        ServerStatus status = books.machines.get((int) command.subject()).status;
        return status == ServerStatus.UP || status == ServerStatus.DRAINING ? null : Refusal.WRONG_STATUS;
    }

    private static @Nullable Refusal ofHeartbeat(Command command, Books books) {
        if (!isServer(command.subject(), books)) {
            return Refusal.UNKNOWN_SERVER;
        }
        if (command.amounts().get(1) < 1 || command.amounts().get(2) < 0) {
            return Refusal.BAD_TIME;
        }
        Books.Machine machine = books.machines.get((int) command.subject());
        if (machine.status == ServerStatus.GONE && !machine.hasAgent()) {
            return Refusal.WRONG_STATUS;
        }
        return command.amounts().get(0) < Math.max(0, machine.incarnation) ? Refusal.LEASE : null;
    }

    private static @Nullable Refusal ofReport(Command command, Books books) {
        if (!isServer(command.subject(), books)) {
            return Refusal.UNKNOWN_SERVER;
        }
        Books.Machine machine = books.machines.get((int) command.subject());
        if (!machine.hasAgent() || machine.status == ServerStatus.GONE || machine.status == ServerStatus.SUSPECTED) {
            return Refusal.WRONG_STATUS;
        }
        return command.amounts().get(0) == machine.incarnation ? null : Refusal.LEASE;
    }

    private static @Nullable Refusal ofConstraints(Constraints constraints, Books books) {
        if (!constraints.sites().isEmpty() && !books.capabilities.contains(Capability.SITE_LIMITS)) {
            return Refusal.SITE_LIMIT;
        }
        if (!constraints.penalty().isEmpty() && !books.capabilities.contains(Capability.PENALTIES)) {
            return Refusal.UNSUPPORTED;
        }
        if (!constraints.hasSitesOnly() && !books.capabilities.contains(Capability.CONSTRAINTS)) {
            return Refusal.CONSTRAINT;
        }
        if (constraints.sites().stream().anyMatch(site -> site < 0 || site >= books.pools.size())) {
            return Refusal.UNKNOWN_SITE;
        }
        return constraints.avoid().stream().allMatch(server -> isServer(server, books)) ? null : Refusal.UNKNOWN_SERVER;
    }

    private static @Nullable Refusal ofRequest(Command command, Books books) {
        Refusal constrained = ofConstraints(command.constraints(), books);
        if (constrained != null) {
            return constrained;
        }
        if (command.expectedNanos() < 0) {
            return Refusal.BAD_TIME;
        }
        boolean unable = (command.priority() != 0 && !books.capabilities.contains(Capability.PRIORITIES))
                || (command.agent() && !books.capabilities.contains(Capability.EVICTION));
        if (unable) {
            return Refusal.UNSUPPORTED;
        }
        if (command.subject() < 0) {
            return Refusal.UNKNOWN_ID;
        }
        if (books.handles.containsKey(command.subject())) {
            return Refusal.DUPLICATE_ID;
        }
        if (!isType(command.type(), -1, books)) {
            return Refusal.UNKNOWN_TYPE;
        }
        Refusal bad = badAmounts(command.amounts(), books.cluster.resources().size(), Refusal.BAD_DEMAND);
        if (bad == null) {
            bad = badAmounts(command.pooled(), books.cluster.pooledResources().size(), Refusal.BAD_DEMAND);
        }
        if (bad == null && books.device >= 0) {
            long demand = command.amounts().get(books.device);
            boolean whole = demand % books.deviceAmount == 0 && demand <= 64 * books.deviceAmount;
            bad = demand < books.deviceAmount || whole ? null : Refusal.BAD_DEMAND;
        }
        return bad;
    }

    private static @Nullable Refusal ofServerChange(Command command, Books books) {
        if (command.subject() < 0 || command.subject() >= books.machines.size()) {
            return Refusal.UNKNOWN_SERVER;
        }
        Books.Machine machine = books.machines.get((int) command.subject());
        boolean allowed = switch (command.kind()) {
            case DRAIN -> machine.status == ServerStatus.UP;
            case RETURN -> machine.status == ServerStatus.DRAINING || machine.status == ServerStatus.GONE;
            case REMOVE ->
                machine.status != ServerStatus.GONE
                        && machine.occupants.stream().noneMatch(job -> books.entry(job).state == JobState.RUNNING);
            default -> machine.status != ServerStatus.GONE;
        };
        if (!allowed) {
            return Refusal.WRONG_STATUS;
        }
        boolean leased = machine.hasAgent()
                && (command.kind() == Command.Kind.LOSE
                        || (command.kind() == Command.Kind.RETURN && machine.status == ServerStatus.GONE));
        return leased ? Refusal.LEASE : null;
    }

    private static @Nullable Refusal badAmounts(List<Long> amounts, int expected, Refusal refusal) {
        boolean good = amounts.size() == expected && amounts.stream().allMatch(amount -> amount >= 0);
        return good ? null : refusal;
    }

    static boolean isWithin(List<Long> demand, List<Long> capacity) {
        for (int i = 0; i < demand.size(); i++) {
            if (demand.get(i) > capacity.get(i)) {
                return false;
            }
        }
        return true;
    }
}
