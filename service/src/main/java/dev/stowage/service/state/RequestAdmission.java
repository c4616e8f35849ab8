package dev.stowage.service.state;

import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Constraints;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.service.state.Operation.Adopt;
import dev.stowage.service.state.Operation.Submit;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** How requests come in: known ids are answered, quotas kept, words turned into what the engine takes. */
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

    /** Number of the next request that comes in. */
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

    /** A request that runs already comes in. Quotas do not keep it out: it is there. */
    Outcome adopt(Adopt adopt, long at, long position) {
        Submit submit = adopt.submit();
        long fingerprint = Hash.of(fingerprint(submit), adopt.server());
        Outcome known = known(submit, fingerprint);
        if (known != null) {
            return known;
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

    /** The answer to a submission that the engine need not be asked for, or null. */
    @Nullable
    Outcome withoutEngine(Submit submit) {
        Outcome known = known(submit, fingerprint(submit));
        if (known != null) {
            return known;
        }
        OperationDriver.Refused problem = driver.problem(submit);
        if (problem != null) {
            return Outcome.refused(problem.refusal(), problem.detail());
        }
        String over = overQuota(submit.tenant(), driver.demand(submit));
        return over == null ? null : new Outcome(Outcome.Kind.OVER_QUOTA, null, null, -1, over);
    }

    private @Nullable Outcome known(Submit submit, long fingerprint) {
        Request known = requests.find(submit.tenant(), submit.id());
        return known == null
                ? null
                : Outcome.of(known.fingerprint() == fingerprint ? Outcome.Kind.REPEATED : Outcome.Kind.CONFLICT, known);
    }

    private Outcome comesIn(Submit submit, long fingerprint, long position, Runnable command) {
        Ledger.Done done = ledger.arriving(submit, fingerprint, position, command);
        Request request = requests.find(submit.tenant(), submit.id());
        if (request == null) {
            return refused(done.refusal(), done.detail(), unknownLabels(submit));
        }
        nextNumber++;
        return Outcome.of(Outcome.Kind.DONE, request);
    }

    /** What the engine refused; where no server admits it, with the labels that none has. */
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

    /** What a request would take the tenant over its quota with, or null. */
    private @Nullable String overQuota(String tenant, long[] demand) {
        Quota own = quotas.get(tenant);
        Quota quota = own != null ? own : quotas.get(Quota.EVERYBODY);
        if (quota == null) {
            return null;
        }
        Use use = requests.use(tenant);
        long has = use == null ? 0 : use.requests();
        if (quota.requests() != Quota.ANY && has >= quota.requests()) {
            return "tenant '" + tenant + "' has " + has + " requests in the system and may have " + quota.requests();
        }
        for (int r = 0; r < Math.min(demand.length, quota.amounts().length); r++) {
            long used = use == null ? 0 : use.amount(r);
            long most = quota.amounts()[r];
            if (most != Quota.ANY && demand[r] > most - used) {
                return "tenant '" + tenant + "' has " + used + " of " + resources.get(r) + ", may have " + most
                        + ", and asks for " + demand[r] + " more";
            }
        }
        return null;
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
        return KeyedRandom.mix(KeyedRandom.mix(hash + submit.rewardMicros()) + submit.waitNanos());
    }
}
