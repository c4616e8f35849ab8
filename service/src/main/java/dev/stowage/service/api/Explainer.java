package dev.stowage.service.api;

import dev.stowage.core.model.ResourceWords;
import dev.stowage.service.state.DisplacedSurvey;
import dev.stowage.service.state.Displacement;
import dev.stowage.service.state.GangSurvey;
import dev.stowage.service.state.Request;
import dev.stowage.service.state.Survey;
import dev.stowage.service.state.World;
import dev.stowage.service.v1.Candidate;
import dev.stowage.service.v1.Explanation;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Why a request is where it is: the rule that the policy gave when it decided, and the servers as they are now. */
final class Explainer {
    private static final int CANDIDATES = 5;
    /** Most members of a gang that are named. */
    private static final int MEMBERS = 5;

    private final Request request;
    private final List<String> resources;
    private final String policy;
    private final int queues;
    private final dev.stowage.service.v1.Request message;
    /** Whether the caller may know about all tenants, because free room reveals the use by others. */
    private final boolean all;

    private final Survey survey;
    private final GangSurvey gang;
    private final DisplacedSurvey displaced;

    /**
     * Explains a request; in the state's lock, as {@link #more} is.
     *
     * @param all whether to show free room
     */
    Explainer(World world, Request request, boolean all) {
        this.request = request;
        this.all = all;
        resources = world.resources();
        policy = world.engine().policy().toString();
        queues = world.engine().view().queues();
        message = Messages.request(request, world);
        survey = new Survey(request, CANDIDATES);
        gang = new GangSurvey(request);
        displaced = new DisplacedSurvey(request, all);
    }

    /** Examines some more servers. Returns whether this must be called again. */
    boolean more(World world) {
        return survey.more(world) || gang.more(world) || displaced.more(world);
    }

    /** The result; without the lock, once {@link #more} returned false. */
    Explanation explanation() {
        Explanation.Builder out = Explanation.newBuilder()
                .setRequest(message)
                .setPolicy(policy)
                .setRule(request.reason())
                .setServersUp(survey.up())
                .setServersLargeEnough(survey.large())
                .addAllTookPlaceOf(displaced.took())
                .setSummary(summary() + lost());
        if (!all) {
            return out.build();
        }
        out.setServersWithRoom(survey.room());
        Survey.Seen own = survey.own();
        if (own != null) {
            out.addCandidates(candidate(own, true));
        }
        survey.nearest().forEach(seen -> out.addCandidates(candidate(seen, false)));
        return out.build();
    }

    private String summary() {
        String where = request.sites().isEmpty() ? "" : " in the sites it is limited to, " + request.sites() + ",";
        if (!request.words().isNone()) {
            where += " and that its constraints admit, " + Messages.text(request.words()) + ",";
        }
        String servers = (survey.up() == 0
                        ? "no server is up" + (where.endsWith(",") ? where.substring(0, where.length() - 1) : where)
                        : (survey.up() == 1
                                        ? "the only server that is up" + where
                                                + (survey.large() == 1 ? " is" : " is not")
                                        : survey.large() + " of " + survey.up() + " servers that are up" + where
                                                + (survey.large() == 1 ? " is" : " are"))
                                + " large enough"
                                + (all && survey.large() > 0 && request.state() != Request.State.RUNNING ? room() : ""))
                + closed();
        return switch (request.state()) {
            case RUNNING ->
                runs() + " server " + server() + " in site " + message.getSite() + " by the rule '" + request.reason()
                        + "'; " + failures() + agent() + servers;
            case WAITING ->
                (request.queue() < 0 || queues < 2 ? "waits" : "waits in queue " + request.queue() + " of " + queues)
                        + (request.reason().isEmpty() ? "" : " by the rule '" + request.reason() + "'")
                        + (request.life().failures() > 0 ? "; " + failures().replace("; ", "") : "")
                        + stopping()
                        + (gang.size() > 0 ? gang() : "")
                        + (!all || gang.size() > 0
                                ? "; "
                                : survey.room() > 0
                                        ? ": the policy holds it back, or other requests go first; "
                                        : survey.apart() > 0
                                                ? ": its spread group excludes "
                                                        + (survey.apart() == 1 ? "the server" : "the servers")
                                                        + " with room; "
                                                : ": it waits for room; ")
                        + servers;
            case REJECTED -> "was rejected by the rule '" + request.reason() + "'; " + servers;
            case EXPIRED -> "expired: it was not placed within its longest wait; " + servers;
            case RELEASED -> "is over: " + request.reason();
        };
    }

    /** How it lost its last server, and who lost theirs to it. */
    private String lost() {
        Displacement own = request.displaced();
        List<String> others = displaced.took();
        return (own == null
                        ? ""
                        : "; it lost server " + server(message.getDisplaced().getServerName(), own.server()) + " at "
                                + time(own.at()) + ": "
                                + (displaced.by().isEmpty()
                                        ? own.reason()
                                        : own.reason()
                                                .replace(
                                                        "request " + own.by() + " ",
                                                        "request " + displaced.by() + " ")))
                + (others.isEmpty() ? "" : "; it took the place of " + String.join(", ", others));
    }

    private static Instant time(long nanos) {
        return Instant.ofEpochSecond(0, nanos).truncatedTo(ChronoUnit.MILLIS);
    }

    /** The servers that would be admitted, but take nothing new or are gone. */
    private String closed() {
        int draining = survey.draining();
        int silent = survey.silent();
        int lost = survey.lost();
        int removed = survey.removed();
        return (draining == 0
                        ? ""
                        : "; " + draining + (draining == 1 ? " more is" : " more are") + " being drained and "
                                + (draining == 1 ? "takes" : "take") + " nothing new")
                + (silent == 0
                        ? ""
                        : "; " + silent + (silent == 1 ? " more takes" : " more take") + " nothing new until "
                                + (silent == 1 ? "its agent reports" : "their agents report"))
                + (lost == 0
                        ? ""
                        : "; " + lost + (lost == 1 ? " is gone: its agent is" : " are gone: their agents are")
                                + " silent")
                + (removed == 0
                        ? ""
                        : "; " + removed + (removed == 1 ? " was" : " were") + " removed or reported lost");
    }

    private String room() {
        int apart = survey.apart();
        int room = survey.room() + apart;
        boolean one = survey.large() == 1;
        return (one
                        ? (room == 1 ? " and has" : " but has no")
                        : ", " + room + " of them " + (room == 1 ? "has" : "have"))
                + " room now"
                + (apart == 0
                        ? ""
                        : ", but " + (one ? "" : apart + " of these ") + "already " + (apart == 1 ? "runs" : "run")
                                + " as many of its spread group as allowed");
    }

    /** Which members have room, each alone, and what is short for all at once. */
    private String gang() {
        StringBuilder text = new StringBuilder(
                "; it is one of a gang of " + gang.size() + ", which is placed all together or not at all");
        if (!all) {
            return text.toString();
        }
        List<String> without = gang.withoutRoom();
        if (!without.isEmpty()) {
            List<String> some = without.subList(0, Math.min(without.size(), MEMBERS));
            return text.append(": there is no room now for ")
                    .append(String.join(", ", some))
                    .append(without.size() > MEMBERS ? " and " + (without.size() - MEMBERS) + " more" : "")
                    .append(", even alone")
                    .append(lacking(", and"))
                    .toString();
        }
        String lacking = lacking(", but");
        return text.append(": there is room now for each alone")
                .append(lacking.isEmpty() ? ", but the policy found no place for all together" : lacking)
                .toString();
    }

    private String lacking(String but) {
        long[] lacking = gang.lacking();
        List<String> parts = new ArrayList<>();
        for (int r = 0; r < lacking.length; r++) {
            if (lacking[r] > 0) {
                parts.add(ResourceWords.amount(resources.get(r), lacking[r]));
            }
        }
        return parts.isEmpty() ? "" : but + " all together lack " + String.join(", ", parts);
    }

    private String runs() {
        if (!request.life().agent()) {
            return "runs on";
        }
        return switch (request.life().phase()) {
            case PLACED -> "is to be started by its agent on";
            case STARTED -> "runs on";
            case STOPPING -> "is to be stopped by its agent, and until then holds its resources on";
        };
    }

    /** Of a server whose agent, which is to start or stop the request, has not been heard. */
    private String agent() {
        boolean waits = request.life().phase() != dev.stowage.core.policy.Phase.STARTED;
        return waits && survey.isSilentHere() ? "no agent of that server has sent a heartbeat yet; " : "";
    }

    /** Who stops, and where, so that there is room for it. */
    private String stopping() {
        Map<String, List<String>> byServer = new LinkedHashMap<>();
        for (Survey.Stopping one : survey.stopping()) {
            if (all || one.request().tenant().equals(request.tenant())) {
                byServer.computeIfAbsent(
                                "on server " + one.server()
                                        + (one.heard() ? "" : ", whose agent has never sent a heartbeat"),
                                first -> new ArrayList<>())
                        .add(DisplacedSurvey.name(one.request(), request));
            }
        }
        List<String> parts = new ArrayList<>();
        byServer.forEach((where, names) -> parts.add(String.join(", ", names) + " " + where));
        return parts.isEmpty() ? "" : " (stopping: " + String.join("; ", parts) + ")";
    }

    private String failures() {
        int failures = request.life().failures();
        return failures == 0
                ? ""
                : "it could not be started " + (failures == 1 ? "once" : failures + " times")
                        + ", and avoids those servers as long as another one could hold it; ";
    }

    private String server() {
        return server(message.getServerName(), request.server());
    }

    private static String server(String name, int number) {
        return name.isEmpty() ? Integer.toString(number) : name + " (" + number + ")";
    }

    private Candidate candidate(Survey.Seen seen, boolean here) {
        Candidate.Builder out = Candidate.newBuilder()
                .setServer(seen.server())
                .setSite(seen.site())
                .setName(seen.name())
                .setKeptApart(seen.keptApart() ? "as many of its spread group as allowed run there" : "")
                .setLacksDevices(seen.lacksDevices())
                .setRunsHere(here)
                .putAllFree(Messages.amounts(resources, r -> seen.free()[r]));
        for (int r = 0; r < request.demand().length && !here; r++) {
            long missing = request.demand()[r] - seen.free()[r];
            if (missing > 0) {
                out.putLacks(resources.get(r), missing);
            }
        }
        return out.build();
    }
}
