package dev.stowage.service.api;

import dev.stowage.core.policy.ServerStatus;
import dev.stowage.service.raft.NodeStatus;
import dev.stowage.service.state.Glance;
import dev.stowage.service.state.World;
import dev.stowage.service.v1.SiteFigures;
import dev.stowage.service.v1.Status;
import dev.stowage.service.v1.You;
import java.util.Locale;

/** The status of a node. A caller that may not see all tenants sees nothing that depends on the requests of others. */
final class StatusMessages {
    private final Calls calls;

    StatusMessages(Calls calls) {
        this.calls = calls;
    }

    Status of(Caller caller) {
        NodeStatus node = calls.node().status();
        String leader = node.leader() == null ? "" : node.leader();
        String address = calls.address(node.leader());
        Status.Builder out = Status.newBuilder()
                .setNode(node.id())
                .setRole(node.role())
                .setReady(node.ready())
                .setLeader(leader)
                .setLeaderAddress(address == null ? "" : address)
                .setTerm(node.term())
                .setApplied(node.applied())
                .setCommitted(node.committed())
                .setSnapshot(node.snapshot())
                .setChecked(node.checked())
                .setHalted(node.halted() == null ? "" : Failure.plain(node.halted()))
                .addAllNodes(node.peers())
                .setClockAheadNanos(calls.node().clockAheadNanos())
                .setYou(you(caller))
                .putAllApis(calls.addresses())
                .setCertificateUntilNanos(calls.certificateUntil());
        if (caller.seesAll()) {
            out.setDigest(Long.toHexString(node.digest()))
                    .setWaitingLimit(calls.node().waitingLimit())
                    .setQueuedOperations(node.queued());
        }
        MemberMessages.put(out, node);
        Glance.Totals world = calls.node().glance().world();
        if (world != null) {
            service(out, world);
            if (caller.seesAll()) {
                requests(out, world);
            } else {
                out.setLiveRequests(calls.node().look(state -> live(Calls.begun(state), caller)));
            }
        }
        return out.build();
    }

    private static You you(Caller caller) {
        You.Builder you = You.newBuilder()
                .setName(caller.name())
                .setRole(caller.role().name().toLowerCase(Locale.ROOT))
                .setAllTenants(caller.seesAll());
        return caller.seesAll()
                ? you.build()
                : you.addAllTenants(caller.tenants().stream().sorted().toList()).build();
    }

    private static long live(World world, Caller caller) {
        return caller.tenants().stream().mapToLong(world::live).sum();
    }

    private static void service(Status.Builder out, Glance.Totals world) {
        out.setPolicy(Messages.policy(world.policy()))
                .addAllResources(world.resources())
                .setDeviceResource(world.deviceResource())
                .setDeviceAmount(world.deviceAmount())
                .addAllTypes(world.types())
                .addAllSites(world.sites().stream().map(Glance.SiteTotals::name).toList());
    }

    private static void requests(Status.Builder out, Glance.Totals world) {
        out.setLiveRequests(world.live())
                .setUnconfirmedRequests(world.unconfirmed())
                .setRunningRequests(world.running())
                .setWaitingRequests(world.waiting())
                .setArrivedRequests(world.arrived())
                .setRejectedRequests(world.rejected())
                .setLeftRequests(world.left())
                .setServers(Math.toIntExact(world.present()))
                .setServersGone(Math.toIntExact(world.servers(ServerStatus.GONE)))
                .setServersSilent(Math.toIntExact(world.silent()))
                .setServersUp(Math.toIntExact(world.servers(ServerStatus.UP)))
                .setServersOccupied(Math.toIntExact(world.occupied()));
        for (Glance.SiteTotals site : world.sites()) {
            out.addSiteFigures(SiteFigures.newBuilder()
                    .setSite(site.name())
                    .setServersUp(Math.toIntExact(site.servers(ServerStatus.UP)))
                    .setServersOccupied(Math.toIntExact(site.occupied()))
                    .putAllCapacity(Messages.amounts(world.resources(), r -> site.capacity()[r]))
                    .putAllUsed(Messages.amounts(world.resources(), r -> site.used()[r])));
        }
    }
}
