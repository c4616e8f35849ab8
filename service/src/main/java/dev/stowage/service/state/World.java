package dev.stowage.service.state;

import dev.stowage.core.engine.Command;
import dev.stowage.core.engine.DeadlineHeap;
import dev.stowage.core.engine.Engine;
import dev.stowage.core.engine.Refusal;
import dev.stowage.core.engine.Steps;
import dev.stowage.core.model.Cluster;
import dev.stowage.core.model.RequestType;
import dev.stowage.core.model.Resource;
import dev.stowage.core.model.Site;
import dev.stowage.core.policy.PolicyFactory;
import dev.stowage.core.policy.View;
import dev.stowage.core.random.KeyedRandom;
import dev.stowage.service.state.Operation.Change;
import dev.stowage.service.state.Operation.Confirm;
import dev.stowage.service.state.Operation.Release;
import dev.stowage.service.state.Operation.Submit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine with what the service adds to it: names, requests by the client's id, longest waits, answers to changes,
 * audit trail. One operation costs what the engine's command costs, plus O(1); O(log n) for a limited wait.
 */
public final class World {
    private static final int AUDIT_LENGTH = 1000;

    private final OperationDriver.NameLists names;
    private final OperationDriver driver;
    private final Retention keep;
    private final RequestTable requests;
    private final Ledger ledger;
    private final Engine engine;
    private final Map<String, KeptAnswer> answers = new LinkedHashMap<>();
    private final ArrayDeque<AuditRecord> audit = new ArrayDeque<>();
    private final TreeMap<String, Quota> quotas = new TreeMap<>();
    private final RequestAdmission admission;
    private final AgentReports agents;
    private final HeldRoom heldRoom;
    private final PolicyFactory policies;

    private World(
            OperationDriver.NameLists names,
            Retention keep,
            long nextNumber,
            RequestTable requests,
            Ledger ledger,
            Engine engine,
            PolicyFactory policies) {
        this.names = names;
        driver = new OperationDriver(engine, names, true);
        this.keep = keep;
        this.requests = requests;
        this.ledger = ledger;
        this.engine = engine;
        this.policies = policies;
        ledger.servers().attach(engine.view(), engine::hasAgent);
        admission = new RequestAdmission(engine, driver, requests, ledger, names.resources(), quotas, nextNumber);
        heldRoom = new HeldRoom(engine, requests, ledger);
        agents = new AgentReports(engine, driver, requests, ledger, heldRoom);
    }

    static World begin(Setting setting, PolicyFactory policies, long at, int changesKept) {
        RequestTable requests = new RequestTable(changesKept);
        Ledger ledger = new Ledger(requests);
        Cluster cluster = setting.cluster();
        Engine engine = Engine.start(cluster, setting.policy(), policies, Steps.COMMANDS, setting.seed(), at, ledger);
        World world = new World(
                new OperationDriver.NameLists(
                        cluster.resources().stream().map(Resource::name).toList(),
                        cluster.pooledResources(),
                        cluster.sites().stream().map(Site::name).toList(),
                        cluster.types()),
                setting.keep(),
                0,
                requests,
                ledger,
                engine,
                policies);
        world.quotas.putAll(setting.quotas());
        return world;
    }

    /** The engine; to read, not to command. */
    public Engine engine() {
        return engine;
    }

    /** Names of the resources. */
    public List<String> resources() {
        return names.resources();
    }

    /** Name of the resource that comes in devices; empty if none does. */
    public String deviceResource() {
        int resource = engine.view().deviceResource();
        return resource == View.NONE ? "" : engine.view().resourceName(resource);
    }

    /** Names of the pooled resources. */
    public List<String> pooledResources() {
        return names.pooled();
    }

    /** Names of the sites. */
    public List<String> sites() {
        return Collections.unmodifiableList(names.sites());
    }

    /** The request types. */
    public List<RequestType> types() {
        return names.types();
    }

    /** What became of a request that is known, as far back as this state remembers. */
    public KnownHistory history(Request request) {
        return requests.history(request);
    }

    /** A tenant's request, or null if there is none or it finished too long ago. */
    public @Nullable Request find(String tenant, String id) {
        return requests.find(tenant, id);
    }

    /** The request with a handle of the engine. */
    Request ofJob(int job) {
        return Objects.requireNonNull(requests.ofJob(job), "the engine has a job that is not a request");
    }

    /** Requests in the system, in order of arrival. O(n log n): a {@link Listing} goes through them in short steps. */
    public List<Request> requests() {
        return requests.inSystem();
    }

    /** Requests in the system. */
    public int live() {
        return requests.live();
    }

    RequestTable table() {
        return requests;
    }

    /** Requests on a server. */
    public int running() {
        return requests.running();
    }

    /** Requests in a queue. */
    public int waiting() {
        return live() - running() - engine.view().pending();
    }

    /** The servers, added up. */
    public ServerTotals servers() {
        return ledger.servers();
    }

    /** Requests with a change that whoever runs them has not confirmed. */
    public int unconfirmed() {
        return requests.unconfirmed();
    }

    /** The same of a server, which a migration leaves or comes to. */
    public int unconfirmed(int server) {
        return requests.unconfirmed(server);
    }

    /** Whether another tenant than this has requests that are known. */
    public boolean hasTenantBeside(String tenant) {
        return requests.hasTenantBeside(tenant);
    }

    List<Request> takeChanges() {
        return ledger.takeChanges();
    }

    /** The last changes of servers, sites and policy, and what was asked of nodes, oldest first. */
    public List<AuditRecord> audit() {
        return List.copyOf(audit);
    }

    long digest() {
        return engine.digest() ^ KeyedRandom.mix(requests.digest());
    }

    /** When something is due, or {@link Long#MAX_VALUE}. */
    long nextDeadline() {
        long timer = engine.nextTick();
        return Math.min(timer == DeadlineHeap.NEVER ? Long.MAX_VALUE : timer, driver.nextWait());
    }

    OperationDriver.NameLists names() {
        return names;
    }

    /** Limited waits that are kept, also of requests that have left. */
    int waits() {
        return driver.waits();
    }

    /** Servers' leases begin anew at a time to come: their agents cannot be blamed for the time until then. */
    void renewLeases(long from) {
        engine.renewLeases(engine.view().now(), from);
    }

    /** Lets the time come: timers fire, waits end, what is old is forgotten. */
    void passTime(long at, long position) {
        while (driver.nextWait() <= at) {
            ledger.expiring(position, driver::endWait);
        }
        ledger.during(position, () -> engine.tick(at));
        requests.forget(keep, at);
        // In order of their time: the first that is young enough ends it.
        Iterator<KeptAnswer> oldest = answers.values().iterator();
        while (oldest.hasNext() && isOver(oldest.next(), at)) {
            oldest.remove();
        }
    }

    private boolean isOver(KeptAnswer answer, long now) {
        return answer.at() < keep.oldest(now)
                || (keep.isBounded() && answers.size() > Retention.ANSWERS && answer.at() < keep.spared(now));
    }

    Outcome submit(Submit submit, long at, long position) {
        Outcome outcome = admission.submit(submit, at, position);
        if (outcome.kind() != Outcome.Kind.DONE || submit.waitNanos() != 0) {
            return outcome;
        }
        passTime(at, position);
        Request request = requests.find(submit.tenant(), submit.id());
        return request == null ? Outcome.NOTHING : Outcome.of(Outcome.Kind.DONE, request);
    }

    Outcome gang(Operation.Gang gang, long at, long position) {
        Outcome outcome = admission.gang(gang, at, position);
        if (outcome.kind() != Outcome.Kind.DONE || gang.waitNanos() != 0) {
            return outcome;
        }
        passTime(at, position);
        List<Request> now = admission.present(gang);
        return now.isEmpty() ? Outcome.NOTHING : Outcome.of(Outcome.Kind.DONE, now);
    }

    Outcome adopt(Operation.Adopt adopt, long at, long position) {
        return admission.adopt(adopt, at, position);
    }

    /** Room that is held on servers that returned. */
    public HeldRoom heldRoom() {
        return heldRoom;
    }

    AgentReports agents() {
        return agents;
    }

    RequestAdmission admission() {
        return admission;
    }

    PolicyFactory policies() {
        return policies;
    }

    /** Quotas by tenant. */
    public SortedMap<String, Quota> quotas() {
        return Collections.unmodifiableSortedMap(quotas);
    }

    /** The first tenant from this one on that has a quota, of its own or by that of everybody and in use; or null. */
    @Nullable
    String limitedFrom(String tenant) {
        String own = quotas.ceilingKey(tenant);
        String user = quotas.containsKey(Quota.EVERYBODY) ? requests.userFrom(tenant) : null;
        return own == null || (user != null && user.compareTo(own) < 0) ? user : own;
    }

    /** Requests that a tenant has in the system. */
    public int live(String tenant) {
        Use use = requests.use(tenant);
        return use == null ? 0 : use.requests();
    }

    /** How much of a resource a tenant has in the system. */
    public long used(String tenant, int resource) {
        Use use = requests.use(tenant);
        return use == null ? 0 : use.amount(resource);
    }

    Outcome setQuota(Operation.SetQuota set, long at, long position) {
        Quota quota = set.quota();
        String text = "set-quota tenant=" + set.tenant() + " requests=" + quota.requests() + " amounts="
                + Arrays.toString(quota.amounts());
        return answered(set.id(), set.actor(), text, at, position, () -> {
            quotas.put(set.tenant(), quota);
            return new Outcome(Outcome.Kind.DONE, null, null, -1, "");
        });
    }

    Outcome release(Release release, long at, long position) {
        Request known = requests.find(release.tenant(), release.id());
        if (known == null) {
            return new Outcome(
                    Outcome.Kind.NOT_FOUND, null, Refusal.UNKNOWN_ID, -1, "no request '" + release.id() + "'");
        }
        if (known.state().finished()) {
            return Outcome.of(Outcome.Kind.REPEATED, known);
        }
        // One with an agent is to stop; to say so again changes nothing.
        if (release.withGang() && waitsInGang(known)) {
            List<Request> gang = ledger.withdrawing(position, () -> driver.release(release, known.number(), at));
            return new Outcome(
                    Outcome.Kind.DONE,
                    requests.find(release.tenant(), release.id()),
                    null,
                    known.number(),
                    "",
                    gang,
                    List.of());
        }
        Ledger.Done done = ledger.during(position, () -> engine.stop(at, known.number()));
        Request ended = done.ended();
        Request after = ended != null && ended.number() == known.number()
                ? ended
                : requests.find(release.tenant(), release.id());
        return after == null
                ? Outcome.NOTHING
                : Outcome.of(done.refusal() == null ? Outcome.Kind.DONE : Outcome.Kind.REPEATED, after);
    }

    /** Whether a request in the system is of a gang that waits. Once it is not, it never is again. */
    public boolean waitsInGang(Request request) {
        int job = engine.find(request.number());
        return job >= 0 && engine.view().gang(job) != View.NONE;
    }

    Outcome confirm(Confirm confirm, long position) {
        Request known = requests.find(confirm.tenant(), confirm.id());
        if (known == null) {
            return new Outcome(
                    Outcome.Kind.NOT_FOUND, null, Refusal.UNKNOWN_ID, -1, "no request '" + confirm.id() + "'");
        }
        Adjustment last = known.adjustment();
        if (last != null && last.position() == confirm.effectPosition() && last.kind() == confirm.kind()) {
            return last.confirmed()
                    ? Outcome.of(Outcome.Kind.REPEATED, known)
                    : Outcome.of(Outcome.Kind.DONE, ledger.confirm(engine.find(known.number()), last, position));
        }
        long newest = last == null ? known.position() : last.position();
        boolean earlier = confirm.effectPosition() < newest;
        String detail = "request '" + known.id() + "' has no " + confirm.kind() + " to confirm at position "
                + confirm.effectPosition() + "; "
                + (last == null
                        ? "it has been " + known.state() + " since position " + newest
                        : "its last change is the " + last.kind() + " at " + newest);
        return new Outcome(earlier ? Outcome.Kind.SUPERSEDED : Outcome.Kind.NO_SUCH_EFFECT, null, null, -1, detail);
    }

    Outcome note(Operation.Note note, long at, long position) {
        audit(new AuditRecord(at, position, note.actor(), note.text(), note.result()));
        return Outcome.NOTHING;
    }

    private void audit(AuditRecord line) {
        audit.add(line);
        if (audit.size() > AUDIT_LENGTH) {
            audit.remove();
        }
    }

    Outcome change(Change change, long at, long position) {
        return answered(
                change.id(), change.actor(), change.toString(), at, position, () -> carryOut(change, at, position));
    }

    /** Carries a change out, unless it was before; both are answered, and the first is audited. */
    private Outcome answered(
            String id, String actor, String text, long at, long position, Supplier<Outcome> carriedOut) {
        long fingerprint = Hash.of(Hash.of(0, actor), text);
        KeptAnswer known = answers.get(id);
        if (known != null) {
            Outcome first = known.outcome();
            return known.fingerprint() == fingerprint
                    ? first.kind() == Outcome.Kind.DONE
                            ? new Outcome(Outcome.Kind.REPEATED, null, null, first.number(), first.detail())
                            : first
                    : new Outcome(Outcome.Kind.CONFLICT, null, null, -1, "id '" + id + "' was used for another change");
        }
        Outcome outcome = carriedOut.get();
        answers.put(id, new KeptAnswer(at, fingerprint, outcome));
        audit(new AuditRecord(at, position, actor, text, outcome.detail()));
        return outcome;
    }

    private Outcome carryOut(Change change, long at, long position) {
        boolean site = change.command().kind() == Command.Kind.ADD_SITE;
        if (site && (change.name().isEmpty() || names.sites().contains(change.name()))) {
            return Outcome.refused(
                    Refusal.UNKNOWN_SITE,
                    "the name '" + change.name() + "' of a new site must not be empty or one of " + names.sites());
        }
        OperationDriver.Refused problem = driver.problem(change);
        if (problem != null) {
            return Outcome.refused(problem.refusal(), problem.detail());
        }
        heldRoom.hold(change, names.sites().indexOf(change.name()), at, position);
        Ledger.Done done = ledger.during(position, () -> driver.change(change, at));
        if (done.refusal() != null) {
            return Outcome.refused(done.refusal(), done.detail());
        }
        if (site) {
            names.sites().add(change.name());
        }
        int number = change.ofSite() || site ? names.sites().indexOf(change.name()) : done.server();
        return new Outcome(Outcome.Kind.DONE, null, null, number, "");
    }

    /** All that must be taken at once; what is slow to write is written later. */
    Captured capture() {
        return new Captured(particulars().encode(), engine.copy(), requests.copyInSystem(), requests.copyFinished());
    }

    /** All but engine and requests; to read at once, it does not stay as it is. */
    Particulars particulars() {
        return new Particulars(
                names.resources(),
                names.pooled(),
                names.sites(),
                names.types(),
                keep,
                admission.nextNumber(),
                requests.digest(),
                answers,
                new ArrayList<>(audit),
                quotas);
    }

    /** The world that was captured. */
    static World restore(Captured captured, long position, PolicyFactory policies, int changesKept) {
        Particulars of = Particulars.decode(captured.particulars());
        RequestTable requests = new RequestTable(changesKept);
        Ledger ledger = new Ledger(requests);
        Engine engine = Engine.restore(captured.engine().get(), policies, ledger);
        World world = new World(
                new OperationDriver.NameLists(of.resources(), of.pooled(), of.sites(), of.types()),
                of.keep(),
                of.nextNumber(),
                requests,
                ledger,
                engine,
                policies);
        world.answers.putAll(of.answers());
        world.audit.addAll(of.audit());
        world.quotas.putAll(of.quotas());
        world.restoreRequests(
                Arrays.asList(captured.inSystem().get()), captured.finished().table(), of.digest(), position);
        return world;
    }

    private void restoreRequests(List<Request> inSystem, FinishedRequests finished, long digest, long position) {
        for (Request request : inSystem) {
            int job = engine.find(request.number());
            if (job < 0 || request.state().finished()) {
                throw disagreement(request.number());
            }
            requests.restore(job, request);
            heldRoom.restore(request.number());
            if (request.waitUntil() > engine.view().now() && request.waitUntil() != Long.MAX_VALUE) {
                driver.waits(request.waitUntil(), request.number());
            }
        }
        finished.numbers(number -> {
            if (engine.find(number) >= 0) {
                throw disagreement(number);
            }
        });
        requests.begin(position);
        requests.restoreFinished(finished);
        requests.restoreDigest(digest);
    }

    private static IllegalArgumentException disagreement(long number) {
        return new IllegalArgumentException(
                "snapshot is damaged: state and engine disagree on whether request " + number + " is in the system");
    }
}
