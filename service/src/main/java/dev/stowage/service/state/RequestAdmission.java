package dev.stowage.service.state;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.model.ResourceWords;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.service.state.Operation.Adopt;
import dev.stowage.service.state.Operation.Gang;
import dev.stowage.service.state.Operation.Submit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Admission of requests: answers known ids, checks quotas, and translates requests for the engine. */
final class RequestAdmission {
    private final Engine engine;
    private final OperationDriver driver;
    private final RequestTable requests;
    private final Ledger ledger;
    private final List<String> resources;
    private final SortedMap<String, Quota> quotas;
    private long nextNumber;

    RequestAdmission(
            Engine engine,
            OperationDriver driver,
            RequestTable requests,
            Ledger ledger,
            List<String> resources,
            SortedMap<String, Quota> quotas,
            long nextNumber) {
        this.engine = engine;
        this.driver = driver;
        this.requests = requests;
        this.ledger = ledger;
        this.resources = resources;
        this.quotas = quotas;
        this.nextNumber = nextNumber;
    }

    /** Number of the next request. */
    long nextNumber() {
        return nextNumber;
    }

    /** A request arrives. */
    Outcome submit(Submit submit, long at, long position) {
        Outcome without = withoutEngine(submit);
        return without != null
                ? without
                : comesIn(submit, fingerprint(submit), position, () -> driver.arrive(submit, nextNumber, at));
    }

    /** Requests arrive that are placed at once or not at all; quotas let all of them in, or none. */
    Outcome gang(Gang gang, long at, long position) {
        List<Ledger.Arrival> arrivals = arrivals(gang);
        List<Request> known = new ArrayList<>();
        for (Ledger.Arrival one : arrivals) {
            Request request = requests.find(one.submit().tenant(), one.submit().id());
            if (request != null && request.fingerprint() != one.fingerprint()) {
                return Outcome.of(Outcome.Kind.CONFLICT, request);
            }
            if (request != null) {
                known.add(request);
            }
        }
        if (!known.isEmpty()) {
            return Outcome.of(Outcome.Kind.REPEATED, known);
        }
        Outcome problem = problem(gang);
        if (problem != null) {
            return problem;
        }
        Ledger.Done done =
                ledger.arriving(arrivals, nextNumber, position, () -> driver.arriveTogether(gang, nextNumber, at));
        List<Request> now = present(gang);
        if (now.isEmpty()) {
            return Outcome.refused(done.refusal(), done.detail());
        }
        nextNumber += arrivals.size();
        return Outcome.of(Outcome.Kind.DONE, now);
    }

    /** The members of a gang that are known, as they are now. */
    List<Request> present(Gang gang) {
        List<Request> now = new ArrayList<>();
        for (Submit member : gang.members()) {
            Request request = requests.find(member.tenant(), member.id());
            if (request != null) {
                now.add(request);
            }
        }
        return now;
    }

    /**
     * Each has a fingerprint that covers the whole gang, so that the same request in another gang counts as a different
     * one.
     */
    private static List<Ledger.Arrival> arrivals(Gang gang) {
        long all = 0;
        for (Submit member : gang.members()) {
            all = Hash.of(KeyedRandom.mix(all + fingerprint(member)), member.id());
        }
        long whole = all;
        return gang.members().stream()
                .map(member -> new Ledger.Arrival(member, KeyedRandom.mix(whole + fingerprint(member))))
                .toList();
    }

    private @Nullable Outcome problem(Gang gang) {
        Set<String> ids = new HashSet<>();
        long[] sum = new long[resources.size()];
        for (Submit member : gang.members()) {
            OperationDriver.Refused problem = driver.problem(member);
            if (problem != null) {
                return Outcome.refused(problem.refusal(), problem.detail());
            }
            if (!ids.add(member.id())) {
                return Outcome.refused(Refusal.DUPLICATE_ID, "'" + member.id() + "' is given twice in the gang");
            }
            if (member.waitNanos() != gang.waitNanos()) {
                return Outcome.refused(
                        Refusal.BAD_TIME, "a gang waits as one: its members must have the same longest wait");
            }
            long[] demand = driver.demand(member);
            Arrays.setAll(sum, r -> OperationDriver.saturated(sum[r], r < demand.length ? demand[r] : 0));
        }
        if (gang.members().isEmpty()) {
            return Outcome.refused(Refusal.BAD_DEMAND, "a gang needs at least one request");
        }
        return overQuota(gang.members().get(0).tenant(), gang.members().size(), sum);
    }

    /** Adopts a running request. Quotas do not refuse it, because it runs already. */
    Outcome adopt(Adopt adopt, long at, long position) {
        Submit submit = adopt.submit();
        long fingerprint = Hash.of(fingerprint(submit), adopt.server());
        fingerprint = adopt.devices() == 0 ? fingerprint : KeyedRandom.mix(fingerprint ^ adopt.devices());
        Request known = requests.find(submit.tenant(), submit.id());
        if (known != null) {
            return answer(known, fingerprint);
        }
        OperationDriver.Refused problem = driver.problem(submit);
        if (problem != null) {
            return Outcome.refused(problem.refusal(), problem.detail());
        }
        if (driver.server(adopt.server()) < 0) {
            return Outcome.refused(Refusal.UNKNOWN_SERVER, ServerNames.unknown(engine.view(), adopt.server()));
        }
        return comesIn(submit, fingerprint, position, () -> driver.adopt(adopt, nextNumber, at));
    }

    /** The answer to a submission if the engine is not needed for it, or null. */
    @Nullable
    Outcome withoutEngine(Submit submit) {
        Request known = requests.find(submit.tenant(), submit.id());
        if (known != null) {
            return answer(known, fingerprint(submit));
        }
        OperationDriver.Refused problem = driver.problem(submit);
        if (problem != null) {
            return Outcome.refused(problem.refusal(), problem.detail());
        }
        return overQuota(submit.tenant(), 1, driver.demand(submit));
    }

    private static Outcome answer(Request known, long fingerprint) {
        return Outcome.of(known.fingerprint() == fingerprint ? Outcome.Kind.REPEATED : Outcome.Kind.CONFLICT, known);
    }

    private Outcome comesIn(Submit submit, long fingerprint, long position, Runnable command) {
        Ledger.Done done =
                ledger.arriving(List.of(new Ledger.Arrival(submit, fingerprint)), nextNumber, position, command);
        Request request = done.arrived();
        if (request == null) {
            boolean fits = done.refusal() != Refusal.FITS_NO_SERVER;
            return refused(
                    done.refusal(),
                    done.detail() + (fits ? "" : "; nothing of the request is kept, so its id may be used again"),
                    unknownLabels(submit));
        }
        nextNumber++;
        return Outcome.of(Outcome.Kind.DONE, request);
    }

    /** The engine's refusal; if no server admits the request, with the labels that none has. */
    static Outcome refused(@Nullable Refusal refusal, String detail, String unknownLabels) {
        boolean told = refusal == Refusal.FITS_NO_SERVER && !unknownLabels.isEmpty();
        return Outcome.refused(refusal, told ? detail + "; " + unknownLabels : detail);
    }

    /** A sentence for each label that a request asks for and no server has; empty if there is none. */
    String unknownLabels(Submit submit) {
        if (submit.words().isNone()) {
            return "";
        }
        Constraints asked = submit.words().meaning(List.of(), List.of());
        return ledger.labels().unknown(asked, engine.view());
    }

    /** The refusal that names the limit of the tenant's quota that these requests would exceed, or null. */
    private @Nullable Outcome overQuota(String tenant, int more, long[] demand) {
        Quota own = quotas.get(tenant);
        Quota quota = own != null ? own : quotas.get(Quota.EVERYBODY);
        if (quota == null) {
            return null;
        }
        // What no release makes room for is said before what one would.
        if (quota.requests() != Quota.ANY && more > quota.requests()) {
            return beyondQuota(
                    tenant,
                    quota.requests() + (quota.requests() == 1 ? " request" : " requests"),
                    Integer.toString(more));
        }
        int limited = Math.min(demand.length, quota.amounts().length);
        for (int r = 0; r < limited; r++) {
            long most = quota.amounts()[r];
            if (most != Quota.ANY && demand[r] > most) {
                String name = resources.get(r);
                return beyondQuota(tenant, ResourceWords.amount(name, most), ResourceWords.amount(name, demand[r]));
            }
        }
        Use use = requests.use(tenant);
        long has = use == null ? 0 : use.requests();
        if (quota.requests() != Quota.ANY && has + more > quota.requests()) {
            return overQuota("tenant '" + tenant + "' has " + has + (has == 1 ? " request" : " requests")
                    + " in the system and may have " + quota.requests() + (more == 1 ? "" : "; these are " + more));
        }
        for (int r = 0; r < limited; r++) {
            long used = use == null ? 0 : use.amount(r);
            long most = quota.amounts()[r];
            if (most != Quota.ANY && demand[r] > most - used) {
                String name = resources.get(r);
                return overQuota("tenant '" + tenant + "' has " + ResourceWords.amount(name, used)
                        + " in the system, may have " + ResourceWords.amount(name, most) + ", and asks for "
                        + ResourceWords.amount(name, demand[r]) + " more");
            }
        }
        return null;
    }

    private static Outcome overQuota(String detail) {
        return new Outcome(Outcome.Kind.OVER_QUOTA, null, null, -1, detail);
    }

    private static Outcome beyondQuota(String tenant, String most, String asked) {
        return new Outcome(
                Outcome.Kind.BEYOND_QUOTA,
                null,
                null,
                -1,
                "tenant '" + tenant + "' may have " + most + " in all, and asks for " + asked + " at once");
    }

    private static long fingerprint(ConstraintWords words, long hash) {
        long all = hash;
        for (List<String> part : List.of(words.where(), words.avoid(), words.spread())) {
            for (String word : part) {
                all = Hash.of(all, word);
            }
            all = Hash.of(all, ";");
        }
        return all;
    }

    private static long fingerprint(Submit submit) {
        long hash = Hash.of(0, submit.type());
        for (long amount : submit.demand()) {
            hash = KeyedRandom.mix(hash + amount);
        }
        hash = KeyedRandom.mix(hash + submit.demand().length);
        for (long amount : submit.pooled()) {
            hash = KeyedRandom.mix(hash + amount);
        }
        for (String site : submit.sites()) {
            hash = Hash.of(hash, site);
        }
        hash = submit.words().isNone() ? hash : fingerprint(submit.words(), hash);
        if (submit.priority() != 0 || submit.agent()) {
            hash = KeyedRandom.mix(hash + 2L * submit.priority() + (submit.agent() ? 1 : 0));
        }
        hash = submit.expectedNanos() == 0 ? hash : KeyedRandom.mix(hash ^ submit.expectedNanos());
        return KeyedRandom.mix(KeyedRandom.mix(hash + submit.rewardMicros()) + submit.waitNanos());
    }
}
