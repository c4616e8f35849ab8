package dev.stowage.testkit;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.policy.Capability;
import dev.stowage.core.policy.JobState;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.PolicySpec;
import dev.stowage.core.policy.ServerStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why the books say that a command must be refused. */
final class Refusals {
    private Refusals() {}

    /** The reason, or null if the command must be carried out. */
    static @Nullable Refusal reason(Command command, Books books, long now, PolicyFactory policies) {
        if (command.at() < now) {
            return Refusal.LATE;
        }
        return switch (command.kind()) {
            case ARRIVE ->
                isType(command.type(), 0, books) ? ofArrival(typed(command, books), books) : Refusal.UNKNOWN_TYPE;
            case ARRIVE_WITH -> ofArrival(command, books);
            case LEAVE -> books.handles.containsKey(command.subject()) ? null : Refusal.UNKNOWN_ID;
            case TICK, ROUND -> null;
            case ADD_SERVER ->
                command.subject() < 0 || command.subject() >= books.pools.size()
                        ? Refusal.UNKNOWN_SITE
                        : badAmounts(
                                command.amounts(), books.cluster.resources().size(), Refusal.BAD_CAPACITY);
            case ADD_SITE ->
                badAmounts(command.pooled(), books.cluster.pooledResources().size(), Refusal.BAD_CAPACITY);
            case DRAIN, RETURN, REMOVE, LOSE -> ofServerChange(command, books);
            case SET_POLICY -> ofPolicy(command.policy(), books, policies);
        };
    }

    /** What the command makes of a server. */
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
            boolean keeps = policies.create(spec).capabilities().contains(Capability.SITE_LIMITS);
            return books.areLimited() && !keeps ? Refusal.SITE_LIMIT : null;
        } catch (IllegalArgumentException e) {
            return Refusal.UNKNOWN_POLICY;
        }
    }

    private static @Nullable Refusal ofArrival(Command command, Books books) {
        if (!command.sites().isEmpty() && !books.capabilities.contains(Capability.SITE_LIMITS)) {
            return Refusal.SITE_LIMIT;
        }
        if (command.sites().stream().anyMatch(site -> site < 0 || site >= books.pools.size())) {
            return Refusal.UNKNOWN_SITE;
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
        if (bad != null) {
            return bad;
        }
        boolean fits = books.machines.stream()
                .anyMatch(machine -> machine.status != ServerStatus.GONE
                        && (command.sites().isEmpty() || command.sites().contains(machine.site))
                        && isWithin(command.amounts(), machine.capacity)
                        && isWithin(command.pooled(), books.pools.get(machine.site)));
        return fits ? null : Refusal.FITS_NO_SERVER;
    }

    private static @Nullable Refusal ofServerChange(Command command, Books books) {
        if (command.subject() < 0 || command.subject() >= books.machines.size()) {
            return Refusal.UNKNOWN_SERVER;
        }
        Books.Machine machine = books.machines.get((int) command.subject());
        boolean allowed = switch (command.kind()) {
            case DRAIN -> machine.status == ServerStatus.UP;
            case RETURN -> machine.status != ServerStatus.UP;
            case REMOVE ->
                machine.status != ServerStatus.GONE
                        && machine.occupants.stream().noneMatch(job -> books.entry(job).state == JobState.RUNNING);
            default -> machine.status != ServerStatus.GONE;
        };
        return allowed ? null : Refusal.WRONG_STATUS;
    }

    private static @Nullable Refusal badAmounts(List<Long> amounts, int expected, Refusal refusal) {
        boolean good = amounts.size() == expected && amounts.stream().allMatch(amount -> amount >= 0);
        return good ? null : refusal;
    }

    private static boolean isWithin(List<Long> demand, List<Long> capacity) {
        for (int i = 0; i < demand.size(); i++) {
            if (demand.get(i) > capacity.get(i)) {
                return false;
            }
        }
        return true;
    }
}
