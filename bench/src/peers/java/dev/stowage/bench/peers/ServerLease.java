package dev.stowage.bench.peers;

import com.netflix.fenzo.VirtualMachineLease;
import dev.stowage.bench.BenchWorkload;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.mesos.Protos;
import org.jspecify.annotations.Nullable;

/**
 * All of one server, as an offer that Fenzo keeps for good. The maps are those of {@link Collections} because Fenzo
 * asks them for null.
 */
record ServerLease(String hostname) implements VirtualMachineLease {
    @Override
    public String getId() {
        return hostname;
    }

    @Override
    public long getOfferedTime() {
        return 0;
    }

    @Override
    public String getVMID() {
        return hostname;
    }

    @Override
    public double cpuCores() {
        return BenchWorkload.SERVER_CPU_MILLI / 1000.0;
    }

    @Override
    public double memoryMB() {
        return BenchWorkload.SERVER_MEM_MIB;
    }

    @Override
    public double networkMbps() {
        return 0;
    }

    @Override
    public double diskMB() {
        return 0;
    }

    @Override
    public List<Range> portRanges() {
        return List.of();
    }

    /** None: without a Mesos offer behind it, a lease is never handed back. */
    @Override
    public Protos.@Nullable Offer getOffer() {
        return null;
    }

    @Override
    public Map<String, Protos.Attribute> getAttributeMap() {
        return Collections.emptyMap();
    }

    @Override
    public @Nullable Double getScalarValue(String name) {
        return null;
    }

    @Override
    public Map<String, Double> getScalarValues() {
        return Collections.emptyMap();
    }
}
