package dev.stowage.bench.peers;

import dev.stowage.bench.BenchWorkload;
import dev.stowage.bench.Contender;
import dev.stowage.bench.Meter;
import dev.stowage.bench.Result;
import java.util.ArrayList;
import java.util.List;
import org.cloudsimplus.allocationpolicies.VmAllocationPolicyBestFit;
import org.cloudsimplus.brokers.DatacenterBroker;
import org.cloudsimplus.brokers.DatacenterBrokerSimple;
import org.cloudsimplus.core.CloudSimPlus;
import org.cloudsimplus.core.CloudSimTag;
import org.cloudsimplus.datacenters.Datacenter;
import org.cloudsimplus.datacenters.DatacenterSimple;
import org.cloudsimplus.hosts.Host;
import org.cloudsimplus.hosts.HostSimple;
import org.cloudsimplus.resources.Pe;
import org.cloudsimplus.resources.PeSimple;
import org.cloudsimplus.vms.Vm;
import org.cloudsimplus.vms.VmSimple;

/**
 * CloudSim Plus: a request is a VM, a server a host, and the shipped {@link VmAllocationPolicyBestFit} chooses (of the
 * hosts where cores and memory suffice, the one with the fewest free cores; it looks at every host).
 *
 * <p>Set up in its favour: no cloudlets, statistics or log output; creation is not retried; the end of a VM is one
 * event scheduled when the host is known. VMs are submitted in portions of {@value #PORTION}, because the broker walks
 * the list of all waiting VMs at each creation, so that submitting all at once costs time quadratic in their number.
 */
public final class CloudSimPlusPeer implements Contender {
    private static final int PORTION = 200;
    private static final double MIPS_PER_CORE = 1000;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Far below a mean service time; the broker hears of a placement that much later. */
    private static final double MIN_SECONDS_BETWEEN_EVENTS = 0.001;

    @Override
    public String name() {
        return "CloudSim Plus 8.5.7, best fit";
    }

    @Override
    public Result run(BenchWorkload workload, int servers, long budgetNanos) {
        return new Run(workload, servers, budgetNanos).result();
    }

    private static final class Run {
        private final BenchWorkload workload;
        private final CloudSimPlus simulation = new CloudSimPlus(MIN_SECONDS_BETWEEN_EVENTS);
        private final Datacenter datacenter;
        private final DatacenterBroker broker;
        private final Meter meter;
        private int submitted;
        private boolean lastArrivalSeen;

        Run(BenchWorkload workload, int servers, long budgetNanos) {
            this.workload = workload;
            datacenter = new DatacenterSimple(simulation, hosts(servers), new VmAllocationPolicyBestFit());
            broker = new DatacenterBrokerSimple(simulation);
            broker.getVmCreation().setRetryDelay(0);
            meter = new Meter(servers, budgetNanos);
        }

        Result result() {
            meter.start();
            submitPortion();
            simulation.start();
            return meter.stop();
        }

        private static List<Host> hosts(int servers) {
            List<Host> hosts = new ArrayList<>(servers);
            for (int i = 0; i < servers; i++) {
                List<Pe> cores = new ArrayList<>();
                for (int core = 0; core < BenchWorkload.SERVER_CPU_MILLI / 1000; core++) {
                    cores.add(new PeSimple(MIPS_PER_CORE));
                }
                hosts.add(new HostSimple(BenchWorkload.SERVER_MEM_MIB, 1_000_000, 1_000_000, cores));
            }
            return hosts;
        }

        private void submitPortion() {
            int end = Math.min(submitted + PORTION, workload.requests());
            List<Vm> vms = new ArrayList<>(end - submitted);
            for (; submitted < end; submitted++) {
                vms.add(vm(submitted));
            }
            broker.submitVmList(vms);
        }

        private Vm vm(int request) {
            int cpuMilli = workload.cpuMilli()[request];
            int memMib = workload.memMib()[request];
            double arrivalSeconds = workload.arrivalNanos()[request] / NANOS_PER_SECOND;
            double endSeconds = arrivalSeconds + workload.workNanos()[request] / NANOS_PER_SECOND;
            Vm vm = new VmSimple(MIPS_PER_CORE, cpuMilli / 1000);
            vm.setRam(memMib).setBw(1).setSize(1);
            vm.setSubmissionDelay(Math.max(0, arrivalSeconds - simulation.clock()));
            vm.addOnHostAllocationListener(info -> {
                meter.placed(cpuMilli, memMib);
                datacenter.schedule(Math.max(0, endSeconds - simulation.clock()), CloudSimTag.VM_DESTROY, vm);
                decided();
            });
            vm.addOnCreationFailureListener(info -> {
                meter.rejected();
                decided();
            });
            vm.addOnHostDeallocationListener(info -> meter.departed(cpuMilli, memMib));
            return vm;
        }

        private void decided() {
            if (lastArrivalSeen) {
                return;
            }
            boolean expired = meter.expired();
            if (expired || meter.arrived() == workload.requests()) {
                lastArrivalSeen = true;
                meter.lastArrival();
            }
            if (expired) {
                simulation.abort();
            } else if (meter.arrived() == submitted && submitted < workload.requests()) {
                submitPortion();
            }
        }
    }
}
