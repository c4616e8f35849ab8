package dev.stowage.cli.advise;

import dev.stowage.core.model.ConstraintWords;
import dev.stowage.core.model.Constraints;
import dev.stowage.service.v1.Phase;
import dev.stowage.service.v1.Request;
import dev.stowage.service.v1.Server;
import dev.stowage.service.v1.State;
import dev.stowage.service.v1.Status;
import dev.stowage.study.advise.ClusterJob;
import dev.stowage.study.advise.ClusterServer;
import dev.stowage.study.advise.ClusterState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The servers and requests of a service as a cluster that advice is given for. Requests that run are as of one position
 * of its log; servers are asked for before.
 */
final class ServedCluster {
    private final ServedPages service;
    /** Names of the sites, by number. */
    private final List<String> sites;

    private final List<String> resources;
    /** The one that comes in devices, or empty. */
    private final String deviceResource;

    private Map<Integer, String> names = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    ServedCluster(ServedPages service) {
        this.service = service;
        Status status = service.status();
        sites = status.getSitesList();
        resources = status.getResourcesList();
        deviceResource = status.getDeviceResource();
    }

    /** What should be known of it. */
    List<String> notes() {
        return notes;
    }

    /** The name of a server by its number: its number as text where it has none. */
    String name(int server) {
        return names.getOrDefault(server, Integer.toString(server));
    }

    /** As jobs are called. */
    static String name(String tenant, String id) {
        return tenant.isEmpty() ? id : tenant + "/" + id;
    }

    /** The service as it is now. */
    ClusterState look() {
        notes.clear();
        List<Server> listed = service.servers();
        List<ClusterServer> servers = new ArrayList<>();
        Map<Integer, Integer> places = new LinkedHashMap<>();
        Map<Integer, String> named = new LinkedHashMap<>();
        List<String> used = resources.stream()
                .filter(resource -> listed.stream().anyMatch(one -> one.getCapacityOrDefault(resource, 0) > 0))
                .toList();
        for (Server one : listed) {
            named.put(one.getServer(), one.getName().isEmpty() ? Integer.toString(one.getServer()) : one.getName());
            if (!one.getStatus().equals("gone")) {
                places.put(one.getServer(), servers.size());
                servers.add(server(one, named.get(one.getServer()), used));
            }
        }
        names = named;
        int[] siteOf = listed.stream()
                .filter(one -> places.containsKey(one.getServer()))
                .mapToInt(one -> sites.indexOf(one.getSite()))
                .toArray();
        Map<String, Request> requests = new LinkedHashMap<>();
        // A request that is placed between the two lists counts as running.
        for (State state : List.of(State.WAITING, State.RUNNING)) {
            service.requests(state).forEach(one -> requests.put(name(one.getTenant(), one.getRequestId()), one));
        }
        List<Request> order = new ArrayList<>(requests.values());
        order.removeIf(one -> one.getState() == State.RUNNING && !places.containsKey(one.getServer()));
        int before = order.size();
        order.removeIf(one -> one.getState() == State.WAITING && ofDevices(one));
        if (order.size() < before) {
            notes.add((before - order.size()) + " requests that wait for devices are left out: which devices they could"
                    + " get is not considered");
        }
        order.sort((one, other) -> Long.compare(one.getNumber(), other.getNumber()));
        ClusterRules rules = new ClusterRules(servers, siteOf);
        Map<Request, Constraints> constraints = new LinkedHashMap<>();
        for (Request one : order) {
            Constraints meaning = constraints(one, places);
            constraints.put(one, meaning);
            rules.add(meaning);
        }
        List<ClusterJob> jobs = new ArrayList<>();
        constraints.forEach((one, meaning) -> jobs.add(job(one, meaning, rules, places, used)));
        if (order.stream().anyMatch(one -> one.getDemandMap().keySet().stream().anyMatch(key -> !used.contains(key)))) {
            notes.add("resources that a site's servers share are not considered; the service checks each step before"
                    + " it is made");
        }
        return new ClusterState(used, servers, jobs, rules.rules(), List.of());
    }

    private static ClusterServer server(Server one, String name, List<String> resources) {
        TreeMap<String, String> labels = new TreeMap<>(one.getLabelsMap());
        labels.putIfAbsent("site", one.getSite());
        String closed = switch (one.getStatus()) {
            case "up" -> "";
            case "draining" -> "is drained";
            default -> "is " + one.getStatus();
        };
        long[] capacity = resources.stream()
                .mapToLong(resource -> one.getCapacityOrDefault(resource, 0))
                .toArray();
        return new ClusterServer(name, capacity, labels, closed);
    }

    private Constraints constraints(Request one, Map<Integer, Integer> places) {
        List<Integer> avoided = new ArrayList<>();
        for (String name : one.getAvoidServersList()) {
            names.forEach((number, known) -> {
                Integer place = places.get(number);
                if (place != null
                        && (known.equals(name) || Integer.toString(number).equals(name))) {
                    avoided.add(place);
                }
            });
        }
        List<String> spread = one.getSpreadList().stream()
                .map(each -> each.getGroup() + ":" + each.getMost()
                        + (each.getLabel().isEmpty() ? "" : ":" + each.getLabel()))
                .toList();
        List<Integer> allowed =
                one.getAllowedSitesList().stream().map(sites::indexOf).sorted().toList();
        return new ConstraintWords(one.getWhereList(), List.of(), spread).meaning(allowed, avoided);
    }

    private boolean ofDevices(Request one) {
        return one.getDemandOrDefault(deviceResource, 0) > 0;
    }

    private ClusterJob job(
            Request one,
            Constraints constraints,
            ClusterRules rules,
            Map<Integer, Integer> places,
            List<String> resources) {
        boolean waits = one.getState() == State.WAITING;
        String stays = one.getPhase() == Phase.STOPPING
                ? "is being stopped"
                : one.hasUnconfirmed()
                        ? "has a change that no agent has confirmed"
                        : ofDevices(one) ? "holds devices, which a plan does not place" : "";
        return new ClusterJob(
                name(one.getTenant(), one.getRequestId()),
                resources.stream()
                        .mapToLong(resource -> one.getDemandOrDefault(resource, 0))
                        .toArray(),
                waits ? ClusterJob.WAITS : places.getOrDefault(one.getServer(), ClusterJob.WAITS),
                rules.admission(constraints),
                waits || stays.isEmpty() ? ClusterJob.Hold.MOVABLE : ClusterJob.Hold.FIXED,
                stays,
                rules.boundBy(constraints),
                rules.countedBy(constraints),
                List.of());
    }
}
